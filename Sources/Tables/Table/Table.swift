/// A table: named, typed columns, rows of cells, and notes.
///
/// A table is validated while it is built, so that writers need no checks: names are snake_case and unique, every row
/// has one cell for each column, every cell fits its column, and decimals are finite.
public struct Table: Equatable, Sendable {
  /// The name in snake_case, such as `rewards`.
  public let name: String

  /// The human-readable title.
  public let title: String

  /// The columns, in output order.
  public let columns: [TableColumn]

  /// The answer of the table, in one to three sentences, failed checks first: written above the rows for people, as the
  /// member `answer` in JSON, and never in a CSV. Empty for a table that answers no question.
  public var answer: [String] = []

  /// What its parts come to, before the rows for people; empty for a table that compares nothing.
  public var cards: [TableCard] = []

  /// The method in one line, which people see instead of the notes; nil shows them all the notes.
  public var method: TableMethod?

  /// How the rows of a time series are drawn for people; nil for a table that is none.
  public var series: TableSeries?

  /// The rows that people see without asking for all; nil for all rows.
  public var focus: TableFocus?

  /// Notes, such as the rules applied and what was left out; written beside the rows, never in a CSV.
  public private(set) var notes: [TableNote] = []

  /// All cells in row-major order: one array, so that a row costs no allocation of its own.
  var cells: [TableCell] = []

  /// Creates a table without rows.
  ///
  /// - Throws: ``TableError`` if there is no column, or a name is not snake_case or not unique.
  public init(name: String, title: String, columns: [TableColumn]) throws(TableError) {
    guard Self.isSnakeCase(name) else { throw .badName(name) }
    guard !columns.isEmpty else { throw .noColumns(table: name) }
    var seen: Set<String> = []
    for column in columns {
      guard Self.isSnakeCase(column.name) else { throw .badName(column.name) }
      guard seen.insert(column.name).inserted else { throw .duplicateColumn(column.name) }
    }
    self.name = name
    self.title = title
    self.columns = columns
  }

  /// The rows, in output order.
  public var rows: Rows { Rows(cells: cells, width: columns.count) }

  /// Appends a row; a decimal that is not finite becomes empty. A row that is refused leaves the table unchanged.
  ///
  /// - Throws: ``TableError`` if the number of cells is wrong, a cell does not fit its column or a timestamp is
  ///   invalid.
  /// - Complexity: O(columns), amortised.
  public mutating func append(row: [TableCell]) throws(TableError) {
    guard row.count == columns.count else {
      throw .wrongWidth(row: rows.count + 1, cells: row.count, columns: columns.count)
    }
    for (cell, column) in zip(row, columns) {
      try check(cell, in: column)
    }
    for cell in row { cells.append(cell.finite) }
  }

  /// Reserves capacity for additional rows.
  public mutating func reserve(rows count: Int) {
    let (room, overflow) = count.multipliedReportingOverflow(by: columns.count)
    if count > 0, !overflow { cells.reserveCapacity(cells.count + min(room, 1 << 24)) }
  }

  /// Adds a note; a note of the same name is replaced in place. A decimal that is not finite becomes empty.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - value: The value.
  public mutating func note(_ name: String, _ value: TableCell) {
    let note = TableNote(name: name, value: value.finite)
    if let index = notes.firstIndex(where: { $0.name == name }) {
      notes[index] = note
    } else {
      notes.append(note)
    }
  }

  /// Drops the notes that are not wanted.
  mutating func keepNotes(where isWanted: (TableNote) -> Bool) {
    notes = notes.filter(isWanted)
  }

  private func check(_ cell: TableCell, in column: TableColumn) throws(TableError) {
    guard let type = cell.type else { return }
    guard type == column.type else {
      throw .wrongType(
        row: rows.count + 1, column: column.name, expected: column.type, found: type)
    }
    // Timestamps have no other characters, so that no writer has to quote or escape them.
    if case .timestamp(let text) = cell, !Self.looksLikeTimestamp(text) {
      throw .badTimestamp(row: rows.count + 1, column: column.name)
    }
  }

  private static func isSnakeCase(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLowerCaseLetter(first) else { return false }
    return name.utf8.allSatisfy { isLowerCaseLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  private static func looksLikeTimestamp(_ text: String) -> Bool {
    guard let first = text.utf8.first, isDigit(first) else { return false }
    return text.utf8.allSatisfy { isDigit($0) || "-:.+TZ".utf8.contains($0) }
  }

  private static func isLowerCaseLetter(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
