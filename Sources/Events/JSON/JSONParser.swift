/// Parses a JSON document, with the tokens of ``JSONScanner``.
struct JSONParser {
  private let bytes: [UInt8]
  private let parsing: JSONParsing
  private var scanner = JSONScanner()
  private let deepest: Int
  private var depth = 0

  init(bytes: [UInt8], parsing: JSONParsing, deepest: Int) {
    self.bytes = bytes
    self.parsing = parsing
    self.deepest = deepest
  }

  /// Parses the single value of the text.
  mutating func document() throws(JSONLineError) -> JSONValue {
    let bytes = bytes
    let value = try value()
    try skipSpace()
    guard scanner.position == bytes.count else {
      throw .expected("nothing after the value", at: scanner.position, in: bytes.span)
    }
    return value
  }

  /// Returns the error with its line and column.
  func placed(_ error: JSONLineError) -> JSONParseError {
    let before = bytes.prefix(error.offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return JSONParseError(
      line: before.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) },
      column: error.offset - lineStart + 1, byte: error.offset, reason: error.reason)
  }

  private mutating func value() throws(JSONLineError) -> JSONValue {
    let bytes = bytes
    try skipSpace()
    switch scanner.peek(bytes.span) {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try object())
    case UInt8(ascii: "["): return .array(try array())
    case UInt8(ascii: "t"):
      try scanner.literal("true", bytes.span)
      return .boolean(true)
    case UInt8(ascii: "f"):
      try scanner.literal("false", bytes.span)
      return .boolean(false)
    case UInt8(ascii: "n"):
      try scanner.literal("null", bytes.span)
      return .null
    default: return try number()
    }
  }

  private mutating func number() throws(JSONLineError) -> JSONValue {
    let bytes = bytes
    let number = try scanner.number(bytes.span)
    let isMinusZero = number.isNegative && number.significand == 0
    if let integer = number.integer, !isMinusZero { return .integer(integer) }
    guard let double = number.double(bytes.span) else {
      throw JSONLineError(
        offset: number.start, reason: "no 64-bit number is that large; write a smaller one")
    }
    return .number(double)
  }

  private mutating func string() throws(JSONLineError) -> String {
    let bytes = bytes
    let string = try scanner.string(bytes.span)
    guard string.hasEscapes else {
      return String(decoding: bytes[string.start..<string.end], as: UTF8.self)
    }
    var unescaped: [UInt8] = []
    JSONScanner.unescape(string, bytes.span, into: &unescaped)
    return String(decoding: unescaped, as: UTF8.self)
  }

  private mutating func array() throws(JSONLineError) -> [JSONValue] {
    try open()
    var values: [JSONValue] = []
    while try !closes("]", isFirst: values.isEmpty) { values.append(try value()) }
    return values
  }

  private mutating func object() throws(JSONLineError) -> JSONObject {
    let bytes = bytes
    try open()
    var members: [JSONObject.Member] = []
    var offsets: [Int] = []
    while try !closes("}", isFirst: members.isEmpty) {
      offsets.append(scanner.position)
      guard scanner.peek(bytes.span) == UInt8(ascii: "\"") else {
        throw .expected("a name in double quotes", at: scanner.position, in: bytes.span)
      }
      let name = try string()
      try skipSpace()
      try scanner.expect(":", "':' after the name", bytes.span)
      members.append(JSONObject.Member(name: name, value: try value()))
    }
    let object = JSONObject(members)
    if object.count < members.count { throw Self.repeated(members, offsets) }
    return object
  }

  /// Returns the error for the first repeated name.
  private static func repeated(_ members: [JSONObject.Member], _ offsets: [Int]) -> JSONLineError {
    var seen: Set<[UInt8]> = []
    for (member, offset) in zip(members, offsets)
    where !seen.insert(Array(member.name.utf8)).inserted {
      return JSONLineError(
        offset: offset, reason: "the name \"\(member.name)\" occurs twice; keep one")
    }
    return JSONLineError(offset: offsets.last ?? 0, reason: "a name occurs twice; keep one")
  }

  private mutating func open() throws(JSONLineError) {
    guard depth < deepest else {
      throw JSONLineError(
        offset: scanner.position,
        reason: "lists and objects are nested more than \(deepest) deep; "
          + "flatten them")
    }
    depth += 1
    scanner.position += 1
  }

  /// Skips a closing bracket, or the comma before the next element.
  private mutating func closes(_ bracket: Unicode.Scalar, isFirst: Bool) throws(JSONLineError)
    -> Bool
  {
    let bytes = bytes
    try skipSpace()
    if !isFirst, scanner.skip(",", bytes.span) {
      try skipSpace()
      let isClosing = scanner.peek(bytes.span) == UInt8(ascii: bracket)
      if isClosing, parsing == .strict {
        throw JSONLineError(
          offset: scanner.position,
          reason: "a comma stands before '\(bracket)'; remove the comma")
      }
      if !isClosing { return false }
    } else if isFirst, scanner.peek(bytes.span) != UInt8(ascii: bracket) {
      return false
    }
    try scanner.expect(bracket, isFirst ? "'\(bracket)'" : "',' or '\(bracket)'", bytes.span)
    depth -= 1
    return true
  }

  private mutating func skipSpace() throws(JSONLineError) {
    let bytes = bytes
    scanner.skipSpace(bytes.span)
    guard parsing == .tolerant else { return }
    while try skipComment() { scanner.skipSpace(bytes.span) }
  }

  private mutating func skipComment() throws(JSONLineError) -> Bool {
    let start = scanner.position
    guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "/") else { return false }
    switch bytes[start + 1] {
    case UInt8(ascii: "/"):
      scanner.position = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    case UInt8(ascii: "*"):
      var end = start + 2
      while end + 1 < bytes.count,
        bytes[end] != UInt8(ascii: "*") || bytes[end + 1] != UInt8(ascii: "/")
      {
        end += 1
      }
      guard end + 1 < bytes.count else {
        throw JSONLineError(
          offset: start, reason: "the comment that begins here is not closed; add its */")
      }
      scanner.position = end + 2
    default: return false
    }
    return true
  }
}
