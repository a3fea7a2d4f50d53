import DecidingCore
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Targeting: decimal numbers and versions")
struct DecimalTextTests {
  @Test(
    "texts that are wholly a decimal number, and compare by value",
    arguments: [
      ("5", "4", false, true), ("4", "5", true, false), ("4.0", "4", false, false),
      ("-1", "0", true, false), ("-2", "-1", true, false), ("-0", "0", false, false),
      ("+3", "3.00", false, false), ("0.1", "0.09", false, true), ("007", "7", false, false),
      ("9007199254740993", "9007199254740992", false, true), ("-1.5", "-1.25", true, false),
    ])
  func numbers(a: String, b: String, isLower: Bool, isGreater: Bool) throws {
    let (left, right) = (try #require(DecimalText(a)), try #require(DecimalText(b)))
    #expect((left < right) == isLower)
    #expect((left > right) == isGreater)
    #expect((left == right) == (!isLower && !isGreater))
  }

  @Test(
    "texts that are no number",
    arguments: [
      "", "abc", "5a", " 5", "5 ", "1e3", ".5", "5.", "1.2.3", "--1", "-", "٣", "inf", "0x1",
    ])
  func noNumbers(text: String) {
    #expect(DecimalText(text) == nil)
    #expect(!SegmentTextTest.number(.equal, text).isMet(by: text))
  }

  @Test("compare like Double where a Double is exact", arguments: 0..<10 as Range<UInt64>)
  func agreesWithDouble(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func text() -> String {
      let digits = String(generator.index(40))
      let fraction =
        generator.chance(0.5) ? "." + ["0", "5", "25", "50", "750"][generator.index(5)] : ""
      return ["", "-", "+"][generator.index(3)] + ["", "0"][generator.index(2)] + digits + fraction
    }
    for _ in 0..<500 {
      let (a, b) = (text(), text())
      let (left, right) = (try #require(DecimalText(a)), try #require(DecimalText(b)))
      let (x, y) = (try #require(Double(a)), try #require(Double(b)))
      #expect((left < right) == (x < y) && (left == right) == (x == y), "\(a) \(b), seed \(seed)")
    }
  }
}

@Suite("Targeting: versions")
struct VersionNumberTests {
  @Test(
    "KA-V17 and KA-53: major, minor and patch decide",
    arguments: [
      ("1.2", SegmentComparison.equal, "1.2.0", true), ("1.10.0", .greater, "1.9.9", true),
      ("1.2", .greater, "1.2.0", false), ("2", .greater, "1.99.99", true),
      ("1.2.3.4", .equal, "1.2.3", true), ("1.2.3.beta", .equal, "1.2.3", true),
      ("1.2-beta", .equal, "1.2", true), ("1.2+77", .equal, "1.2.0-rc.1", true),
      ("1.2.x", .equal, "1.2.x", false), ("1.2.x", .lower, "9", false), ("", .equal, "0", false),
      ("9", .greater, "x", false), ("1.-2", .equal, "1.0", false), ("1..2", .equal, "1.0.2", false),
      ("01.002", .equal, "1.2", true),
      ("99999999999999999999.0", .greater, "99999999999999999998.9", true),
    ])
  func comparisons(version: String, comparison: SegmentComparison, other: String, isMet: Bool) {
    #expect(comparison.holds(VersionNumber(version), VersionNumber(other)) == isMet)
  }

  /// The parts as numbers.
  private func naive(_ text: String) -> [Int] {
    let head = text.split(whereSeparator: { "+-".contains($0) }).first ?? ""
    let parts = head.split(separator: ".").prefix(3).compactMap { Int($0) }
    return parts + [Int](repeating: 0, count: 3 - parts.count)
  }

  @Test(
    "versions are in one total order, that of their numbers", arguments: 0..<10 as Range<UInt64>)
  func totalOrder(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let texts = (0..<60).map { _ in
      let parts = (0...generator.index(4)).map { _ in
        ["", "0"][generator.index(2)] + String(generator.index(12))
      }
      return parts.joined(separator: ".") + ["", "-a", "+1.2"][generator.index(3)]
    }
    for a in texts {
      for b in texts {
        let (left, right) = (try #require(VersionNumber(a)), try #require(VersionNumber(b)))
        let (x, y) = (naive(a), naive(b))
        #expect(
          (left < right) == x.lexicographicallyPrecedes(y) && (left == right) == (x == y),
          "\(a) \(b), seed \(seed)")
        #expect([left < right, left == right, left > right].count { $0 } == 1)
      }
    }
  }
}
