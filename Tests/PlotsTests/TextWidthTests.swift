import Testing

@testable import Plots

@Suite("Widths of texts")
struct TextWidthTests {
  @Test("a text that is too wide ends in an ellipsis, within its width")
  func truncated() {
    #expect(TextWidth.truncated("short", to: 100) == "short")
    for width in [20.0, 50, 90] {
      let text = TextWidth.truncated("epsilon-greedy:epsilon=0.1", to: width)
      #expect(text.hasSuffix("…") && TextWidth.of(text) <= width)
    }
    // A flag of two letters is not cut in halves.
    #expect(TextWidth.truncated("🇩🇪🇩🇪🇩🇪🇩🇪", to: 60).dropLast().allSatisfy { $0 == "🇩🇪" })
  }

  @Test("lines break at spaces, and within words that are too long")
  func lines() {
    let text = "The band goes from one quantile to another of all runs."
    let lines = TextWidth.lines(text, width: 100)
    #expect(lines.joined(separator: " ") == text && lines.count > 2)
    #expect(lines.allSatisfy { TextWidth.of($0) <= 100 })
    let word = String(repeating: "x", count: 100)
    #expect(TextWidth.lines(word, width: 100).joined() == word)
    #expect(TextWidth.lines(word, width: 100, most: 2).count == 2)
    #expect(TextWidth.lines(word, width: 1).count == 100)
    #expect(TextWidth.lines("", width: 100).isEmpty)
  }
}
