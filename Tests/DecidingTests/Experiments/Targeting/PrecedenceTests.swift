import DecidingCore
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Targeting: precedence")
struct PrecedenceTests {
  /// An expression such as `T OR F AND F`.
  private static func parse(_ text: String) -> (values: [Bool], connectives: [SegmentConnective]) {
    let words = text.split(separator: " ").map(String.init)
    return (
      words.compactMap { $0 == "T" ? true : $0 == "F" ? false : nil },
      words.compactMap { SegmentConnective(rawValue: $0) }
    )
  }

  private static func value(
    _ values: [Bool], _ connectives: [SegmentConnective], _ precedence: SegmentPrecedence
  ) -> Bool {
    precedence.isMet(count: values.count, connectives: connectives) { values[$0] }
  }

  @Test(
    "KA-V11, KA-V13: both readings agree",
    arguments: [
      ("KA-V11", "T OR F AND F"), ("KA-V11", "F OR T AND T"), ("KA-V11", "F AND F OR T"),
      ("KA-V13", "F AND F OR T AND T"), ("KA-V13", "T OR F AND F AND F"),
    ])
  func vectors(id: String, text: String) {
    let (values, connectives) = Self.parse(text)
    for precedence in SegmentPrecedence.allCases {
      #expect(Self.value(values, connectives, precedence), "\(id) \(precedence)")
    }
  }

  @Test(
    "the readings differ where an AND stands far from its OR",
    arguments: [
      ("F AND F AND F OR T", true, false), ("T AND F AND T OR T", true, false),
      ("F AND T AND T OR T", true, false), ("T AND T AND F OR T", true, true),
    ])
  func readingsDiffer(text: String, usual: Bool, leftToRight: Bool) {
    let (values, connectives) = Self.parse(text)
    #expect(Self.value(values, connectives, .usual) == usual)
    #expect(Self.value(values, connectives, .leftToRight) == leftToRight)
  }

  /// The usual reading, said recursively: split at the first OR, then at the first AND.
  private func naiveUsual(_ values: ArraySlice<Bool>, _ connectives: ArraySlice<SegmentConnective>)
    -> Bool
  {
    for wanted in [SegmentConnective.or, .and] {
      if let index = connectives.firstIndex(of: wanted) {
        let left = naiveUsual(values[...index], connectives[..<index])
        let right = naiveUsual(values[(index + 1)...], connectives[(index + 1)...])
        return wanted == .or ? left || right : left && right
      }
    }
    return values.first ?? true
  }

  /// The original's reading, said recursively as the rule says it.
  private func naiveLeftToRight(
    _ values: ArraySlice<Bool>, _ connectives: ArraySlice<SegmentConnective>
  ) -> Bool {
    guard let first = values.first else { return true }
    guard let connective = connectives.first else { return first }
    if connective == .or {
      return first || naiveLeftToRight(values.dropFirst(), connectives.dropFirst())
    }
    let pair = first && values[values.startIndex + 1]
    guard let next = connectives.dropFirst().first else { return pair }
    let rest = naiveLeftToRight(values.dropFirst(2), connectives.dropFirst(2))
    return next == .or ? pair || rest : pair && rest
  }

  @Test("every expression of up to eight elements agrees with its recursive definition")
  func agreesWithRecursion() {
    for count in 0...8 {
      for bits in 0..<1 << count {
        let values = (0..<count).map { bits >> $0 & 1 == 1 }
        for joins in 0..<1 << max(0, count - 1) {
          let connectives = (0..<max(0, count - 1)).map {
            joins >> $0 & 1 == 1 ? .and : SegmentConnective.or
          }
          let usual = Self.value(values, connectives, .usual)
          let leftToRight = Self.value(values, connectives, .leftToRight)
          guard
            usual != naiveUsual(values[...], connectives[...])
              || leftToRight != naiveLeftToRight(values[...], connectives[...])
          else { continue }
          Issue.record("\(values) joined by \(connectives)")
        }
      }
    }
  }

  @Test("a missing connective is AND, and a long list does not exhaust the stack")
  func oddLists() {
    #expect(!Self.value([true, false], [], .usual))
    #expect(!Self.value([true, false], [], .leftToRight))
    #expect(Self.value([true], [.and, .or, .and], .usual))
    let many = [Bool](repeating: true, count: 1_000_000)
    #expect(Self.value(many, [], .usual))
    #expect(Self.value(many, [], .leftToRight))
  }

  @Test("elements that cannot change the value are not evaluated")
  func asksNoMore() {
    for precedence in SegmentPrecedence.allCases {
      var asked: [Int] = []
      let value = precedence.isMet(count: 3, connectives: [.or, .and]) { index in
        asked.append(index)
        return true
      }
      #expect(value && asked == [0])
    }
  }
}
