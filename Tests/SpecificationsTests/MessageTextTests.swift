import Specifications
import Testing

@Suite("The text of messages")
struct MessageTextTests {
  @Test("keeps its beginning and its end when it is too long, and says how much is left out")
  func shortened() {
    let short = String(repeating: "a", count: MessageText.byteLimit)
    #expect(MessageText.shortened(short) == short)
    let text = MessageText.shortened(
      "the name \"" + String(repeating: "x", count: 1 << 20) + "\" is unknown; give another")
    #expect(text.utf8.count <= MessageText.byteLimit)
    #expect(text.hasPrefix("the name \"xxx"))
    #expect(text.hasSuffix("xxx\" is unknown; give another"))
    #expect(text.contains("xx… (1047737 bytes left out) …xx"))
  }

  @Test(
    "is cut between scalars, also within one character",
    arguments: ["東", "👩‍👩‍👧", "e\u{301}", "\u{301}", "é"])
  func scalars(unit: String) {
    for padding in 0..<4 {
      let text = String(repeating: "a", count: padding) + String(repeating: unit, count: 9_000)
      let shortened = MessageText.shortened(text)
      #expect(shortened.utf8.count <= MessageText.byteLimit)
      #expect(!shortened.unicodeScalars.contains("\u{FFFD}"))
    }
  }
}
