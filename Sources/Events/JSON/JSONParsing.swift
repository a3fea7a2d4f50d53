/// How strictly JSON text is read.
public enum JSONParsing: Sendable {
  /// As RFC 8259 has it.
  case strict
  /// A comma before a closing bracket and comments (`// ...` to the end of the line, `/* ... */`) are passed
  /// over too.
  case tolerant
}

/// Why a text is not JSON, and where.
public struct JSONParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  public var line: Int
  /// The column in UTF-8 bytes, counted from 1.
  public var column: Int
  /// The byte of the text, counted from 0.
  public var byte: Int
  /// What is wrong and how to mend it, in one line.
  public var reason: String

  /// Makes an error from its place and its reason.
  public init(line: Int, column: Int, byte: Int, reason: String) {
    self.line = line
    self.column = column
    self.byte = byte
    self.reason = reason
  }

  /// The place and the reason.
  public var description: String { "line \(line), column \(column) (byte \(byte)): \(reason)" }
}

extension JSONValue {
  /// Reads a JSON text, which must hold one value and nothing behind it.
  ///
  /// - Throws: ``JSONParseError``: the text is not JSON, is nested more than 64 deep, names a member of an
  ///   object twice, or has a number that no `Double` holds.
  /// - Complexity: O(length), and O(n log n) in the members of an object.
  public init(parsing text: String, _ parsing: JSONParsing = .strict) throws(JSONParseError) {
    try self.init(parsing: Array(text.utf8), parsing)
  }

  /// Reads a JSON text from its UTF-8 bytes, which must hold one value and nothing behind it.
  ///
  /// - Throws: ``JSONParseError``, as for a `String`; bytes that are not UTF-8 too.
  /// - Complexity: O(length), and O(n log n) in the members of an object.
  public init(parsing bytes: [UInt8], _ parsing: JSONParsing = .strict) throws(JSONParseError) {
    try self.init(parsing: bytes, parsing, deepest: Self.deepestNesting)
  }

  /// Reads a JSON text that may be nested as deep as is said.
  package init(
    parsing bytes: [UInt8], _ parsing: JSONParsing = .strict, deepest: Int
  ) throws(JSONParseError) {
    var parser = JSONParser(bytes: bytes, parsing: parsing, deepest: deepest)
    do throws(JSONLineError) {
      self = try parser.document()
    } catch {
      throw parser.placed(error)
    }
  }
}
