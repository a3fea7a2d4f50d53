internal import Specifications

/// Writes a table as RFC 4180 CSV: UTF-8 without byte-order mark, LF, a header, no comment lines.
///
///     file   = header LF *(row LF)
///     row    = cell *("," cell)
///     cell   = plain / DQUOTE *(any / DQUOTE DQUOTE) DQUOTE
///
/// A text is quoted only when it holds a comma, a quote, CR or LF, or begins or ends with a space.
/// Numbers have the shortest decimal text that reads back as the same number. An empty cell means
/// not applicable; an empty text looks the same. The only cell of a row, when empty, is written as
/// `""`, because readers skip blank lines.
public struct CSVWriter: TableWriter {
  /// Whether texts that a spreadsheet would take for a formula (starting with `=`, `+`, `-`, `@`, tab or CR) are
  /// prefixed with `'`. Numbers never are.
  public var spreadsheetSafe: Bool

  /// Creates a writer.
  public init(spreadsheetSafe: Bool = false) {
    self.spreadsheetSafe = spreadsheetSafe
  }

  public func write<Failure: Error>(
    _ table: Table, to buffer: inout [UInt8],
    afterEachRow: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    for (index, column) in table.columns.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      // Names are snake_case and need no quotes.
      buffer.append(contentsOf: column.name.utf8)
    }
    buffer.append(UInt8(ascii: "\n"))
    for row in table.rows {
      append(row, to: &buffer)
      try afterEachRow(&buffer)
    }
  }

  private func append(_ row: Table.Row, to buffer: inout [UInt8]) {
    let start = buffer.count
    for index in row.indices {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      append(row[index], to: &buffer)
    }
    if buffer.count == start { buffer.append(contentsOf: "\"\"".utf8) }
    buffer.append(UInt8(ascii: "\n"))
  }

  private func append(_ cell: TableCell, to buffer: inout [UInt8]) {
    switch cell {
    case .text(let text): append(text, to: &buffer)
    case .integer(let number): NumberText.append(Int64(number), to: &buffer)
    case .decimal(let number): NumberText.append(cell: number, to: &buffer)
    case .flag(let flag): buffer.append(contentsOf: (flag ? "true" : "false").utf8)
    // Timestamps have no characters that need quotes.
    case .timestamp(let text): buffer.append(contentsOf: text.utf8)
    case .empty: break
    }
  }

  private func append(_ text: String, to buffer: inout [UInt8]) {
    let bytes = text.utf8Span.span
    guard bytes.count > 0 else { return }
    let quoted = Self.needsQuotes(bytes)
    if quoted { buffer.append(UInt8(ascii: "\"")) }
    if spreadsheetSafe, Self.startsFormula(bytes[0]) { buffer.append(UInt8(ascii: "'")) }
    if quoted {
      for index in bytes.indices {
        if bytes[index] == UInt8(ascii: "\"") { buffer.append(UInt8(ascii: "\"")) }
        buffer.append(bytes[index])
      }
      buffer.append(UInt8(ascii: "\""))
    } else {
      buffer.append(contentsOf: text.utf8)
    }
  }

  private static func needsQuotes(_ bytes: Span<UInt8>) -> Bool {
    let space = UInt8(ascii: " ")
    if bytes[0] == space || bytes[bytes.count - 1] == space { return true }
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        return true
      default: continue
      }
    }
    return false
  }

  private static func startsFormula(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
      UInt8(ascii: "\t"), UInt8(ascii: "\r"):
      true
    default: false
    }
  }
}
