internal import Specifications

extension JSONLinesEncoder {
  /// Appends UTF-8 text in double quotes. Only characters that JSON requires to be escaped are: quote, backslash and
  /// control characters.
  static func append(text: Span<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var start = 0
    while true {
      let end = endOfPlainText(from: start, text)
      output.append(text.extracting(start..<end))
      guard end < text.count else { break }
      JSONEscape.append(text[end], to: &output)
      start = end + 1
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Returns the index of the first byte that must be escaped, or the end of the text.
  @inline(__always)
  private static func endOfPlainText(from start: Int, _ text: Span<UInt8>) -> Int {
    var index = start
    while index &+ 8 <= text.count {
      let word = text.word(at: index)
      // Bytes that are not ASCII are marked too but need no escape.
      let hits = JSONScanner.markedBytes(in: word) & ~word
      if hits != 0 { return index &+ hits.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    while index < text.count {
      if JSONEscape.isRequired(text[index]) { break }
      index &+= 1
    }
    return index
  }

  /// Appends preserved JSON. A line break in it can only be white space between tokens and becomes a space, so that
  /// the event stays on one line.
  static func append(raw json: Span<UInt8>, to output: inout [UInt8]) {
    let start = output.count
    output.append(json)
    for index in start..<output.count
    where output[index] == UInt8(ascii: "\n") || output[index] == UInt8(ascii: "\r") {
      output[index] = UInt8(ascii: " ")
    }
  }
}

extension [UInt8] {
  /// Appends the bytes of a span.
  @inline(__always)
  mutating func append(_ span: Span<UInt8>) {
    // Safety: the buffer is used only within the closure.
    unsafe span.withUnsafeBufferPointer { unsafe self.append(contentsOf: $0) }
  }
}
