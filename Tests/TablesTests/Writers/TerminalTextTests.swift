import TestSupport
import Testing

@testable import Tables

@Suite("Text on a terminal")
struct TerminalTextTests {
  @Test(
    "shows control characters instead of obeying them",
    arguments: [
      ("a\u{1B}[2Jb", "a\\u{1B}[2Jb"), ("a\nb\r\t", "a\\nb\\r\\t"),
      ("\u{0}\u{7F}", "\\u{0}\\u{7F}"),
      ("\u{9B}2J", "\\u{9B}2J"), ("\u{202E}abc", "\\u{202E}abc"), ("\u{2028}", "\\u{2028}"),
      ("\u{FEFF}\u{200B}", "\\u{FEFF}\\u{200B}"), ("é東👩‍👩‍👧\\", "é東👩‍👩‍👧\\"),
    ])
  func escapes(raw: String, shown: String) {
    #expect(TerminalText.escaped(raw) == shown)
  }

  @Test("is one line of a limited length as a message, whatever is quoted in it")
  func message() {
    let name = "x\u{1B}[2J\nerror: all is well\r" + String(repeating: "\n\u{9B}", count: 1 << 19)
    let message = TerminalText.message("no variant \"\(name)\" is known; give another")
    #expect(message.hasPrefix("no variant \"x\\u{1B}[2J\\nerror: all is well\\r\\n"))
    #expect(message.hasSuffix("\" is known; give another"))
    #expect(message.utf8.count <= 1_000)
    #expect(message.unicodeScalars.allSatisfy { TerminalText.escape(of: $0) == nil })
    // The line breaks of the message itself stay.
    #expect(
      TerminalText.messageLines(
        TerminalText.escaping(["a\nb", "x"], in: "Error: 'a\nb' is invalid\nUsage: x"))
        == "Error: 'a\\nb' is invalid\nUsage: x")
  }

  @Test(
    "has the width that terminals give it",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("한글", 4), ("한", 2), ("ｱ", 1),
      ("Ａ", 2), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("1️⃣", 2), ("…", 1), ("─", 1),
      ("क्ष", 2), ("ไทย", 3), ("\u{3000}", 2), ("𠀀", 2), ("☃", 1), ("⌚", 2),
    ])
  func widths(text: String, columns: Int) {
    #expect(TerminalText.width(text) == columns)
  }

  @Test("is cut in the middle, where names that begin alike are still told apart")
  func cut() {
    #expect(TerminalText.fitted("epsilon-greedy:epsilon=0.01", to: 16) == "epsilon-gr…=0.01")
    #expect(TerminalText.fitted("abc", to: 3) == "abc")
    #expect(TerminalText.fitted("abcd", to: 3) == "ab…")
    #expect(TerminalText.fitted("abcd", to: 1) == "…")
    #expect(TerminalText.fitted("abcd", to: 0) == "")
    #expect(TerminalText.fitted("東京都", to: 5) == "東京…")
  }

  @Test("is wrapped at spaces, else anywhere, and loses nothing but spaces")
  func wrap() {
    #expect(TerminalText.wrapped("one two three", width: 8) == ["one two", "three"])
    #expect(TerminalText.wrapped("abcdefgh", width: 3) == ["abc", "def", "gh"])
    #expect(TerminalText.wrapped("", width: 3) == [""])
    #expect(TerminalText.wrapped("東京都", width: 3) == ["東", "京", "都"])
    #expect(TerminalText.wrapped("東a", width: 1) == ["…", "a"])
    #expect(TerminalText.wrapped("lost 52.2 % of", width: 9) == ["lost", "52.2 % of"])
    #expect(TerminalText.headingLines("mean_of_rewards", width: 8) == ["mean_of_", "rewards"])
    #expect(TerminalText.fitted("abcdef", to: 5, mark: "...") == "ab...")
  }

  @Test("keeps to the width when cut and wrapped, whatever the text")
  func neverWider() {
    var rng = SeededGenerator(seed: 3)
    for _ in 0..<5_000 {
      let text = TerminalText.escaped(hostileText(&rng) + hostileText(&rng))
      let width = Int.random(in: 4...30, using: &rng)
      #expect(TerminalText.width(TerminalText.fitted(text, to: width)) <= width, "seed 3")
      let lines = TerminalText.wrapped(text, width: width)
      #expect(lines.allSatisfy { TerminalText.width($0) <= width }, "seed 3")
      let kept = lines.joined().filter { $0 != " " }
      #expect(kept == text.filter { $0 != " " }, "seed 3")
    }
  }
}
