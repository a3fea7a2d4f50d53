internal import Tables

/// A row of a table with its cells by the names of their columns.
struct NamedCells {
  private let indices: [String: Int]
  private let cells: [TableCell]

  /// Returns the rows of a table.
  static func rows(of table: Table) -> [NamedCells] {
    let indices = Dictionary(
      uniqueKeysWithValues: table.columns.enumerated().map { ($1.name, $0) })
    return table.rows.map { NamedCells(indices: indices, cells: Array($0)) }
  }

  /// The text of a column; nil if it is empty, or not a text.
  func text(_ column: String) -> String? {
    if case .text(let text)? = cell(column) { return text }
    return nil
  }

  /// The number of a column; nil if it is empty, or not a number.
  func number(_ column: String) -> Double? {
    switch cell(column) {
    case .decimal(let number)?: number
    case .integer(let number)?: Double(number)
    default: nil
    }
  }

  private func cell(_ column: String) -> TableCell? { indices[column].map { cells[$0] } }
}
