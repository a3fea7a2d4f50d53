/// A tokenizer for a line of JSON (RFC 8259).
///
/// The line is passed to every method, because a value cannot store a span.
struct JSONScanner {
  /// The maximum nesting depth of a preserved value.
  static let deepestNesting = 64

  /// The index of the next byte.
  var position = 0

  /// Returns the next byte; 0, which no token begins with, at the end of the line.
  @inline(__always)
  func peek(_ line: Span<UInt8>) -> UInt8 {
    position < line.count ? line[position] : 0
  }

  /// Skips white space.
  @inline(__always)
  mutating func skipSpace(_ line: Span<UInt8>) {
    if position < line.count, line[position] <= 0x20 { skipLongSpace(line) }
  }

  @inline(never)
  private mutating func skipLongSpace(_ line: Span<UInt8>) {
    while position < line.count {
      switch line[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// Skips white space and, if it comes next, the given character, and returns whether it did.
  @inline(__always)
  mutating func skip(_ character: Unicode.Scalar, _ line: Span<UInt8>) -> Bool {
    skipSpace(line)
    guard peek(line) == UInt8(ascii: character) else { return false }
    position &+= 1
    return true
  }

  /// Skips white space and the given character, which must come next.
  @inline(__always)
  mutating func expect(
    _ character: Unicode.Scalar, _ what: @autoclosure () -> String, _ line: Span<UInt8>
  ) throws(JSONLineError) {
    guard skip(character, line) else {
      throw .expected(what(), at: position, in: line)
    }
  }

  /// Parses a key and the colon after it, up to the first byte of the value.
  @inline(__always)
  mutating func key(
    _ line: Span<UInt8>, _ what: @autoclosure () -> String = "key"
  ) throws(JSONLineError) -> JSONString {
    skipSpace(line)
    guard peek(line) == UInt8(ascii: "\"") else {
      throw .expected("a \(what()) in double quotes", at: position, in: line)
    }
    let key = try string(line)
    try expect(":", "':' after the \(what())", line)
    skipSpace(line)
    return key
  }

  /// Returns whether another member or element follows, after one has ended; skips the comma or the closing bracket.
  @inline(__always)
  mutating func another(before closing: Unicode.Scalar, _ line: Span<UInt8>)
    throws(JSONLineError) -> Bool
  {
    if skip(",", line) {
      skipSpace(line)
      if peek(line) == UInt8(ascii: closing) {
        throw JSONLineError(
          offset: position, reason: "a comma stands before '\(closing)'; remove the comma")
      }
      return true
    }
    try expect(closing, "',' or '\(closing)'", line)
    return false
  }

  /// Parses `true`, `false` or `null`, which must come next.
  mutating func literal(_ text: String, _ line: Span<UInt8>) throws(JSONLineError) {
    let start = position
    for byte in text.utf8 {
      guard peek(line) == byte else {
        position = start
        throw notAValue(line)
      }
      position += 1
    }
  }

  /// Returns the error for a byte that begins no JSON value.
  @inline(never)
  func notAValue(_ line: Span<UInt8>) -> JSONLineError {
    .expected(
      "a JSON value (text in double quotes, number, true, false, null, list or object)",
      at: position, in: line)
  }
}
