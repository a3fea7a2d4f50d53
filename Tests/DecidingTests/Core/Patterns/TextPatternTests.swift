import TestSupport
import Testing

@testable import DecidingCore

@Suite("Targeting: patterns")
struct TextPatternTests {
  @Test(
    "patterns are searched anywhere in the text",
    arguments: [
      ("b+", "abbc", true), ("^b", "abbc", false), ("^a.*c$", "abbc", true), ("", "", true),
      ("a|x", "bbx", true), ("(ab){2}", "abab", true), ("^(ab){2,3}$", "abababab", false),
      ("[^a-c]", "abc", false), ("[^a-c]", "abcd", true), ("[a\\]-]", "x-", true),
      ("\\bcat\\b", "a cat.", true), ("\\bcat\\b", "concat", false), ("\\Bcat", "concat", true),
      ("(?i)PARIS", "in paris", true), ("PARIS", "in paris", false), ("(?i)[a-z]É", "xé", true),
      ("\\w+@\\w+\\.com", "mail me@example.com", true), ("\\d{3}-\\d{4}", "555-1234", true),
      ("colou?r", "color", true), ("a{0}b", "b", true), ("x{y", "x{y", true),
      ("a.c", "a\nc", false),
      ("\\x41\\u0042\\x{1F600}", "AB😀", true), ("(?<year>\\d{4})", "in 2020", true),
      ("(?:a|b)*?c", "ababc", true), ("[\\d_]+$", "a_1", true), ("[\\S]", " ", false),
      ("^$", "", true), ("^$", "a", false), ("(|a)+b", "aab", true),
    ])
  func searches(pattern: String, text: String, occurs: Bool) {
    #expect(TextPattern(pattern).occurs(in: text) == occurs)
  }

  @Test(
    "a pattern that cannot be read matches nothing",
    arguments: [
      "(", ")", "[a", "[]", "*a", "a**", "a++", "\\1", "(?=a)", "(?!a)", "(?<=a)b", "\\", "\\q",
      "a{3,2}", "x{2", "a{2}{3}", "[z-a]", "\\x{110000}", "\\u12", "^*", "((a{1000}){1000}){1000}",
      "((((((){2000}){2000}){2000}){2000}){2000}", "(((((a{0}){2000}){2000}){2000}){2000}){2000}",
      String(repeating: "(", count: 400) + String(repeating: ")", count: 400),
      String(repeating: "a", count: 1_001),
    ])
  func unreadable(pattern: String) {
    let read = TextPattern(pattern)
    #expect(!read.isReadable)
    #expect(!read.occurs(in: pattern))
  }

  @Test(
    "no pattern runs for ages",
    arguments: ["(a+)+$", "(a|aa)+$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)*(.*)*x$"])
  func catastrophes(pattern: String) {
    let text = String(repeating: "a", count: 2_000) + "!"
    #expect(!TextPattern(pattern).occurs(in: text))
    #expect(!TextPattern(".*").occurs(in: String(repeating: "a", count: 16_385)))
  }

  @Test("finds what the standard library finds", arguments: 0..<20 as Range<UInt64>)
  func agreesWithTheStandardLibrary(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func pattern(_ depth: Int) -> String {
      switch generator.index(depth > 3 ? 4 : 10) {
      case 0: return "a"
      case 1: return "b"
      case 2: return ["[ab]", "[^a]", "."][generator.index(3)]
      case 3: return ["^", "$", "c", "\\d", "\\w"][generator.index(5)]
      case 4, 5: return pattern(depth + 1) + pattern(depth + 1)
      case 6: return "(" + pattern(depth + 1) + "|" + pattern(depth + 1) + ")"
      default:
        let repetition = ["*", "+", "?", "{2}", "{1,2}", "{2,}", "*?"][generator.index(7)]
        return "(" + pattern(depth + 1) + ")" + repetition
      }
    }
    for _ in 0..<60 {
      let source = pattern(0)
      guard let regex = try? Regex(source) else { continue }
      let read = TextPattern(source)
      #expect(read.isReadable, "\(source), seed \(seed)")
      for _ in 0..<5 {
        let text = String(
          (0..<generator.index(7)).map { _ in ["a", "b", "c", "1"][generator.index(4)] })
        #expect(
          read.occurs(in: text) == text.contains(regex), "\(source) in \(text), seed \(seed)")
      }
    }
  }
}
