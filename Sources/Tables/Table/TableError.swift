package import Specifications

/// An invalid table or row. Row numbers start at 1.
public enum TableError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A table needs at least one column.
  case noColumns(table: String)
  /// A table or column name that is not snake_case.
  case badName(String)
  /// Two columns with the same name.
  case duplicateColumn(String)
  /// A name that no column has, with what to do about it.
  case unknownColumn(String, remedy: String)
  /// A row with more or fewer cells than there are columns.
  case wrongWidth(row: Int, cells: Int, columns: Int)
  /// A cell that does not fit its column.
  case wrongType(
    row: Int, column: String, expected: TableColumn.ValueType, found: TableColumn.ValueType)
  /// A timestamp with characters other than digits, `-`, `:`, `.`, `+`, `T` and `Z`.
  case badTimestamp(row: Int, column: String)

  /// The fault, its place and its remedy, in one line.
  public var description: String {
    switch self {
    case .noColumns(let table):
      "report \(shown(table)) has no columns; give it at least one"
    case .badName(let name):
      "\(shown(name)) is not a name; use lower-case letters, digits and _, a letter first"
    case .duplicateColumn(let name):
      "column \(shown(name)) occurs twice; give each column a name of its own"
    case .unknownColumn(let name, let remedy):
      "there is no column \(shown(name))\(remedy)"
    case .wrongWidth(let row, let cells, let columns):
      "row \(row) has \(cells) cells for \(columns) columns; give one for each, empty if need be"
    case .wrongType(let row, let column, let expected, let found):
      "row \(row), column \(column): \(found.rawValue) in a column of type \(expected.rawValue); "
        + "give \(expected.rawValue) or empty"
    case .badTimestamp(let row, let column):
      "row \(row), column \(column): not a timestamp; write it as 2026-01-02T03:04:05.678901Z"
    }
  }

  private func shown(_ name: String) -> String { "\"\(TerminalText.escaped(name))\"" }
}

extension TableError: ExitCoded {
  package var exitCode: ExitCode { .badData }
}
