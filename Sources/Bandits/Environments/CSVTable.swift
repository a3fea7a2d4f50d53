public import Statistics

/// A parsed CSV text with a header: RFC 4180, lines ending with LF or CRLF, empty lines skipped.
public struct CSVTable: Sendable {
  /// The name of the text in error messages.
  public let name: String
  /// The column names, unique and nonempty.
  public let heading: [String]
  /// The rows, each with as many fields as the header.
  public private(set) var rows: [[String]] = []
  /// The line on which each row begins, counted from 1.
  public private(set) var lines: [Int] = []

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - name: The name in error messages, such as the file's path.
  /// - Throws: `SpecificationError` with the line if there is no header, a column name is empty or repeated, a row has
  ///   the wrong number of fields, or quotes are malformed.
  /// - Complexity: O(length).
  public init(_ text: String, name: String) throws(SpecificationError) {
    self.name = name
    var scan = CSVScan(text, name)
    guard let first = try scan.next() else {
      throw SpecificationError("\(name) is empty; its first line must name the columns")
    }
    heading = first.fields
    var seen: Set<String> = []
    for (column, title) in heading.enumerated() {
      guard !title.isEmpty, seen.insert(title).inserted else {
        throw SpecificationError(
          "\(name), line \(first.line): column \(column + 1) is called \"\(title)\"; give each column a name of its "
            + "own")
      }
    }
    while let record = try scan.next() {
      guard record.fields.count == heading.count else {
        throw SpecificationError(
          "\(name), line \(record.line) has \(record.fields.count) fields, and the heading has \(heading.count)"
        )
      }
      rows.append(record.fields)
      lines.append(record.line)
    }
  }

  /// Returns all fields as numbers, row by row.
  ///
  /// - Throws: `SpecificationError` with line and column of the first field that is not a finite number.
  public func numbers() throws(SpecificationError) -> [[Double]] {
    var numbers: [[Double]] = []
    numbers.reserveCapacity(rows.count)
    for (row, fields) in rows.enumerated() {
      var values: [Double] = []
      values.reserveCapacity(fields.count)
      for (column, field) in fields.enumerated() {
        guard let value = Double(field), value.isFinite else {
          throw SpecificationError(
            "\(name), line \(lines[row]), column \(heading[column]): \"\(field)\" is no finite number"
          )
        }
        values.append(value)
      }
      numbers.append(values)
    }
    return numbers
  }
}

/// A scanner of CSV records.
private struct CSVScan {
  private let bytes: [UInt8]
  private let name: String
  private var position = 0
  private var line = 1

  init(_ text: String, _ name: String) {
    bytes = Array(text.utf8)
    self.name = name
    // Skips a byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Returns the next nonempty record; nil at the end.
  mutating func next() throws(SpecificationError) -> (fields: [String], line: Int)? {
    while skipLineEnd() {}
    guard position < bytes.count else { return nil }
    let start = line
    var fields = [try field()]
    while position < bytes.count, bytes[position] == UInt8(ascii: ",") {
      position += 1
      fields.append(try field())
    }
    guard position == bytes.count || skipLineEnd() else {
      throw SpecificationError("\(name), line \(line): text stands behind a closing quote")
    }
    return (fields, start)
  }

  /// Skips LF or CRLF if it is next; returns whether it was.
  private mutating func skipLineEnd() -> Bool {
    var end = position
    if end < bytes.count, bytes[end] == UInt8(ascii: "\r") { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\n") else { return false }
    position = end + 1
    line += 1
    return true
  }

  private mutating func field() throws(SpecificationError) -> String {
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { return try quoted() }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: ","),
      bytes[position] != UInt8(ascii: "\n")
    {
      guard bytes[position] != UInt8(ascii: "\"") else {
        throw SpecificationError(
          "\(name), line \(line): a quote stands inside a field that does not begin with one")
      }
      position += 1
    }
    var end = position
    if end > start, bytes[end - 1] == UInt8(ascii: "\r"),
      end == bytes.count || bytes[end] == UInt8(ascii: "\n")
    {
      end -= 1
      if position < bytes.count { position = end }
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private mutating func quoted() throws(SpecificationError) -> String {
    let start = line
    var text: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        guard position < bytes.count, bytes[position] == byte else {
          return String(decoding: text, as: UTF8.self)
        }
        position += 1
      } else if byte == UInt8(ascii: "\n") {
        line += 1
      }
      text.append(byte)
    }
    throw SpecificationError("\(name), line \(start): a quote is opened and never closed")
  }
}
