extension Span where Element == UInt8 {
  /// Returns whether the text is another one that has no capitals, in small or capital letters of ASCII.
  func isSame(as small: StaticString) -> Bool {
    guard count == small.utf8CodeUnitCount else { return false }
    for index in indices {
      let byte = self[index]
      // Safety: a static string has as many bytes as it counts.
      let wanted = unsafe small.utf8Start[index]
      guard wanted == (byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte) else { return false }
    }
    return true
  }

  /// The text as a string, for messages.
  var string: String { String(decoding: indices.map { self[$0] }, as: UTF8.self) }

  /// Whether the text is empty, or has only spaces and tabs, as lines that are passed over.
  var isBlank: Bool { rangeWithoutBlanks.isEmpty }

  /// The range of the text without the spaces and tabs at its ends.
  var rangeWithoutBlanks: Range<Int> {
    var (start, end) = (0, count)
    while end > 0, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
    while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
    return start..<end
  }
}
