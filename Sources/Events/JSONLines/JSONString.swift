/// A text in a line: its range between the quotes, and whether it must be unescaped.
struct JSONString {
  /// The index of the first byte after the opening quote.
  var start: Int
  /// The index of the closing quote.
  var end: Int
  /// Whether it contains a backslash.
  var hasEscapes: Bool

  /// The number of bytes between the quotes.
  var count: Int { end &- start }
}

extension JSONScanner {
  /// Parses a text and validates it: escapes, surrogate pairs, control characters and UTF-8. The opening quote must
  /// come next.
  @inline(__always)
  mutating func string(_ line: Span<UInt8>) throws(JSONLineError) -> JSONString {
    let start = position &+ 1
    let end = Self.endOfPlainText(from: start, line)
    if end < line.count, line[end] == UInt8(ascii: "\"") {
      position = end &+ 1
      return JSONString(start: start, end: end, hasEscapes: false)
    }
    return try mixedString(from: start, plainTo: end, line)
  }

  /// Returns the index of the first byte that is not plain: a quote, a backslash, a control character, or not ASCII.
  @inline(__always)
  private static func endOfPlainText(from start: Int, _ line: Span<UInt8>) -> Int {
    var index = start
    while index &+ 8 <= line.count {
      let hits = markedBytes(in: line.word(at: index))
      if hits != 0 { return index &+ hits.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    while index < line.count, markedBytes(in: UInt64(line[index]) | 0x2020_2020_2020_2000) == 0 {
      index &+= 1
    }
    return index
  }

  /// Sets the highest bit of each byte that is not plain. Bytes above a quote, a backslash or a control character may
  /// be marked wrongly, because the subtraction borrows from them.
  @inline(__always)
  static func markedBytes(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let controls = word &- ones &* 0x20
    let quotes = (word ^ ones &* 0x22) &- ones
    let backslashes = (word ^ ones &* 0x5C) &- ones
    return (controls | quotes | backslashes | word) & (ones &* 0x80)
  }

  /// Parses the rest of a text that has escapes or characters beyond ASCII.
  @inline(never)
  private mutating func mixedString(from start: Int, plainTo end: Int, _ line: Span<UInt8>)
    throws(JSONLineError) -> JSONString
  {
    var index = end
    var hasEscapes = false
    while true {
      guard index < line.count else {
        throw JSONLineError(
          offset: start - 1, reason: "the text that begins here is not closed; add its quote")
      }
      switch line[index] {
      case UInt8(ascii: "\""):
        position = index + 1
        return JSONString(start: start, end: index, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        index = try Self.endOfEscape(at: index, line)
      case 0x80...: index = try Self.endOfScalar(at: index, line)
      case ..<0x20:
        throw JSONLineError(
          offset: index,
          reason: "a text contains a control character; write it as an escape such as \\n")
      default: index = Self.endOfPlainText(from: index, line)
      }
    }
  }

  /// Checks a UTF-8 sequence of two to four bytes (Unicode, table 3-7) and returns its end.
  static func endOfScalar(at start: Int, _ line: Span<UInt8>) throws(JSONLineError) -> Int {
    let lead = line[start]
    // Overlong forms, surrogates and code points beyond U+10FFFF are detected at the second byte.
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch lead {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0x80...0xBF)
      }
    var isValid = length > 0 && start + length <= line.count && second.contains(line[start + 1])
    if isValid {
      for index in start + 2..<max(start + 2, start + length) where line[index] & 0xC0 != 0x80 {
        isValid = false
      }
    }
    guard isValid else {
      throw JSONLineError(
        offset: start, reason: "these bytes are not valid UTF-8; save the file as UTF-8")
    }
    return start + length
  }

  /// Checks an escape, or a pair of escapes that stands for one character, and returns its end.
  private static func endOfEscape(at start: Int, _ line: Span<UInt8>) throws(JSONLineError) -> Int {
    let letter = start + 1 < line.count ? line[start + 1] : 0
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    case UInt8(ascii: "u"): break
    default:
      throw JSONLineError(
        offset: start,
        reason: "a backslash must be followed by one of \"\\/bfnrtu; write \\\\ for a backslash")
    }
    guard let unit = codeUnit(at: start, line) else {
      throw JSONLineError(offset: start, reason: "\\u must be followed by four hexadecimal digits")
    }
    guard unit & 0xF800 == 0xD800 else { return start + 6 }
    guard unit < 0xDC00, let low = codeUnit(at: start + 6, line), low & 0xFC00 == 0xDC00 else {
      throw JSONLineError(
        offset: start, reason: "half a surrogate pair; write both \\u escapes of it")
    }
    return start + 12
  }

  /// Returns the UTF-16 code unit of an escape `\uXXXX`; nil if there is no such escape.
  private static func codeUnit(at start: Int, _ line: Span<UInt8>) -> UInt16? {
    guard start + 6 <= line.count, line[start] == UInt8(ascii: "\\"),
      line[start + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for index in start + 2..<start + 6 {
      guard let digit = hexadecimalDigit(line[index]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Appends the unescaped text. It must have been parsed by ``string(_:)``.
  @inline(never)
  static func unescape(_ string: JSONString, _ line: Span<UInt8>, into output: inout [UInt8]) {
    var index = string.start
    while index < string.end {
      guard line[index] == UInt8(ascii: "\\") else {
        output.append(line[index])
        index += 1
        continue
      }
      index += resolveEscape(at: index, line, into: &output)
    }
  }

  /// Appends the character that an escape stands for and returns the length of the escape.
  private static func resolveEscape(at start: Int, _ line: Span<UInt8>, into output: inout [UInt8])
    -> Int
  {
    switch line[start + 1] {
    case UInt8(ascii: "b"): output.append(0x08)
    case UInt8(ascii: "f"): output.append(0x0C)
    case UInt8(ascii: "n"): output.append(0x0A)
    case UInt8(ascii: "r"): output.append(0x0D)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "u"):
      let first = UInt32(codeUnit(at: start, line) ?? 0)
      let isPair = first & 0xF800 == 0xD800
      let second = isPair ? UInt32(codeUnit(at: start + 6, line) ?? 0) : 0
      let value = isPair ? 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF) : first
      let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
      output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      return isPair ? 12 : 6
    default: output.append(line[start + 1])
    }
    return 2
  }
}
