public import Specifications

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

/// Reads the records of a CSV text one after the other.
private struct CSVScan {
  private let bytes: [UInt8]
  private let name: String
  private var position = 0
  private var line = 1

  init(_ text: String, _ name: String) {
    bytes = Array(text.utf8)
    self.name = name
    // Skips a byte order mark.
    if bytes.starts(with: ByteOrderMark.utf8) { position = 3 }
  }

  /// Returns the next record that is not empty; nil at the end.
  mutating func next() throws(SpecificationError) -> (fields: [String], line: Int)? {
    while position < bytes.count {
      let (start, first) = (position, line)
      var scan = CSVRecordScan()
      _ = scan.run(bytes, start..<bytes.count)
      if let problem = scan.problem { throw failure(problem.reason, at: start + problem.position) }
      guard !scan.isInQuotes else {
        throw failure("a quote is opened and never closed", at: start + scan.openedAt)
      }
      position = start + scan.position + (scan.endsWithNewline ? 1 : 0)
      line += scan.newlines + (scan.endsWithNewline ? 1 : 0)
      var record = start..<start + scan.position
      if bytes[record].last == UInt8(ascii: "\r") { record = record.dropLast() }
      if record.isEmpty { continue }
      var (row, fields) = ([UInt8](), [Range<Int>]())
      _ = CSVRecordScan.split(bytes, record, into: &row, &fields)
      return (fields.map { String(decoding: row[$0], as: UTF8.self) }, first)
    }
    return nil
  }

  private func failure(_ reason: String, at place: Int) -> SpecificationError {
    let newlines = bytes[position..<place].count { $0 == UInt8(ascii: "\n") }
    return SpecificationError("\(name), line \(line + newlines): \(reason)")
  }
}
