import TestSupport
import Testing

@testable import DecidingCore

@Suite("Patterns against a backtracking search")
struct PatternTwinTests {
  @Test("both find the same", arguments: 0..<50 as Range<UInt64>)
  func agreement(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var found = 0
    for _ in 0..<100 {
      let (source, node) = Self.pattern(2, &generator)
      let ignoresCase = generator.chance(0.2)
      let read = TextPattern((ignoresCase ? "(?i)" : "") + source)
      #expect(read.isReadable, "\(source): \(read.flaw ?? ""), seed \(seed)")
      for _ in 0..<6 {
        let text = (0..<generator.index(7)).map { _ in
          generator.pick(["a", "b", "c", " "], or: "a")
        }
        .joined()
        let isThere = NaivePattern(node: node).occurs(in: text)
        found += isThere ? 1 : 0
        #expect(
          read.occurs(in: ignoresCase ? text.uppercased() : text) == isThere,
          "\(source) in \"\(text)\", seed \(seed)")
      }
    }
    #expect(found > 50 && found < 550)
  }

  private static func pattern(
    _ depth: Int, _ generator: inout SeededGenerator
  ) -> (String, NaivePattern.Node) {
    switch generator.index(depth > 0 ? 12 : 8) {
    case 0, 1, 2, 3:
      let letter = generator.pick(["a", "b", "c"] as [Character], or: "a")
      return (String(letter), .one { $0 == letter })
    case 4: return (".", .one { _ in true })
    case 5: return ("[^a]", .one { $0 != "a" })
    case 6: return ("[b-c]", .one { $0 == "b" || $0 == "c" })
    case 7:
      return generator.pick(
        [("^", .start), ("$", .end), ("\\b", .boundary)], or: ("^", .start))
    case 8, 9:
      let parts = (0...generator.index(3)).map { _ in pattern(depth - 1, &generator) }
      return ("(?:" + parts.map(\.0).joined() + ")", .sequence(parts.map(\.1)))
    case 10:
      let parts = (0...generator.index(3)).map { _ in pattern(depth - 1, &generator) }
      return ("(" + parts.map(\.0).joined(separator: "|") + ")", .either(parts.map(\.1)))
    default:
      let (inner, node) = pattern(depth - 1, &generator)
      let (text, least, most) = generator.pick(
        [("*", 0, 9), ("+", 1, 9), ("?", 0, 1), ("{2}", 2, 2), ("{1,2}", 1, 2), ("{2,}", 2, 9)],
        or: ("*", 0, 9))
      return ("(\(inner))\(text)", .repeated(node, least, most))
    }
  }

  @Test(
    "no search takes more than two steps for each step of the pattern at each place",
    arguments: [
      "(a+)+$", "(a|aa)+$", "(a*)*b", "(.*)*(.*)*x$", "(?i)([a-z]+)*\\d", "(a{1,30}){1,30}b",
      "((a?){20}){20}c",
    ])
  func isLinear(source: String) {
    let pattern = TextPattern(source)
    #expect(pattern.isReadable)
    for length in [100, 200, 400, 800, 1_600] {
      var steps = 0
      _ = pattern.occurs(in: String(repeating: "a", count: length) + "!", counting: &steps)
      #expect(steps <= 2 * pattern.length * (length + 2))
    }
  }

  @Test("random patterns keep to that bound too", arguments: 0..<20 as Range<UInt64>)
  func randomPatternsAreLinear(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let pattern = TextPattern(Self.pattern(4, &generator).0)
      guard pattern.isReadable else { continue }
      var steps = 0
      _ = pattern.occurs(in: String(repeating: "ab", count: 200), counting: &steps)
      #expect(steps <= 2 * pattern.length * 402, "\(pattern.source), seed \(seed)")
    }
  }

  @Test(
    "what cannot be read is told with its place and a remedy",
    arguments: [
      ("a(?=b)", "character 2: looking ahead or behind"), ("(?<!a)b", "character 1: looking"),
      ("(a)\\1", "character 4: a back reference"), ("ab)", "character 3: ')' closes no group"),
      ("a(b", "character 2: this group is not closed"), ("*a", "character 1: '*' repeats nothing"),
      ("[a", "character 1: this class is not closed"), ("a**", "character 3: a repetition"),
      ("a++", "remove the '+'"), ("a{3,2}", "swap them"), ("\\p{L}", "\\p is not understood"),
      ("a{1000}{1000}", "put what it repeats into a group"),
      ("(a{1000}){1000}", "more than 2000 steps"),
      (String(repeating: "(", count: 60), "nested more than 50 deep"),
      (String(repeating: "[", count: 2_200), "has 2200 bytes"),
      (String(repeating: "[", count: 900), "not closed"), ("[z-a]", "a range goes"),
    ])
  func flaws(source: String, reason: String) {
    let flaw = TextPattern(source).flaw ?? ""
    #expect(flaw.contains(reason), "\(flaw)")
  }

  @Test("parts of texts are found in linear time", arguments: 0..<40 as Range<UInt64>)
  func parts(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      func word(_ most: Int) -> String {
        (0..<generator.index(most)).map { _ in generator.pick(["a", "b", "é"], or: "a") }.joined()
      }
      let (text, part) = (word(20), word(5))
      let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
      let isThere =
        wanted.isEmpty
        || bytes.indices.contains { bytes[$0...].starts(with: wanted) }
      #expect(text.hasBytes(part) == isThere, "\(part) in \(text), seed \(seed)")
    }
    let text = String(repeating: "a", count: 200_000)
    #expect(!text.hasBytes(String(repeating: "a", count: 100_000) + "b"))
  }
}
