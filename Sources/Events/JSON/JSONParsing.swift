/// How strictly JSON text is parsed.
public enum JSONParsing: Sendable {
  /// According to RFC 8259.
  case strict
  /// Allows also a trailing comma before a closing bracket and comments (`// ...` to the end of the line, `/* ...
  /// */`).
  case tolerant
}

/// A JSON syntax error with its location.
public struct JSONParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line number, starting at 1.
  public var line: Int
  /// The column in UTF-8 bytes, starting at 1.
  public var column: Int
  /// The byte offset in the text, starting at 0.
  public var byte: Int
  /// A message in one line that says what is wrong and how to fix it.
  public var reason: String

  /// The location and the reason.
  public var description: String { "line \(line), column \(column) (byte \(byte)): \(reason)" }
}

extension JSONValue {
  /// Parses a JSON text, which must contain a single value and nothing after it.
  ///
  /// - Throws: ``JSONParseError`` if the text is not JSON, is nested more than 64 deep, repeats a name in an object,
  ///   or has a number that no `Double` holds.
  /// - Complexity: O(length), and O(n log n) in the members of an object.
  public init(parsing text: String, _ parsing: JSONParsing = .strict) throws(JSONParseError) {
    try self.init(parsing: Array(text.utf8), parsing)
  }

  /// Parses a JSON text from its UTF-8 bytes, which must contain a single value and nothing after it.
  ///
  /// - Throws: ``JSONParseError``, as for a `String`; also for bytes that are not UTF-8.
  /// - Complexity: O(length), and O(n log n) in the members of an object.
  public init(parsing bytes: [UInt8], _ parsing: JSONParsing = .strict) throws(JSONParseError) {
    try self.init(parsing: bytes, parsing, deepest: Self.deepestNesting)
  }

  /// Parses a JSON text with the given maximum nesting depth.
  package init(
    parsing bytes: [UInt8], _ parsing: JSONParsing = .strict, deepest: Int
  ) throws(JSONParseError) {
    let comments = parsing == .tolerant ? JSONComments(bytes) : nil
    var parser = JSONParser(comments?.blanked ?? bytes, deepest: deepest)
    do throws(JSONLineError) {
      self = try parser.document()
    } catch {
      let isOpen = error.offset == comments?.unclosed
      throw JSONParseError(
        at: error.offset, in: bytes,
        isOpen ? "the comment that begins here is not closed; add its */" : error.reason)
    }
  }
}

extension JSONParseError {
  /// Creates an error from its offset, with the line and column of it.
  fileprivate init(at offset: Int, in text: [UInt8], _ reason: String) {
    let before = text.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    self.init(
      line: before.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) },
      column: offset - lineStart + 1, byte: offset, reason: reason)
  }
}
