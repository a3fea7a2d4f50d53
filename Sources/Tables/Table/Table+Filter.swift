extension Table {
  /// Returns the table without the rows whose cell in a column is not wanted, and without its answer and its counts,
  /// which concern all rows. Notes that are texts, such as the attribution, hold for any part.
  ///
  /// - Parameters:
  ///   - column: The name of the column; if there is none of that name, no row remains.
  ///   - isWanted: Whether the rows with a cell remain.
  /// - Complexity: O(cells).
  public func filtered(by column: String, where isWanted: (TableCell) -> Bool) -> Table {
    var table = self
    table.answer = []
    table.keepNotes { if case .text = $0.value { true } else { false } }
    table.cells = []
    guard let index = columns.firstIndex(where: { $0.name == column }) else { return table }
    for row in rows where isWanted(row[index]) { table.cells += row.cells }
    return table
  }

  /// Returns a table of the rows of several tables with the same columns, in the order of their keys.
  ///
  /// - Parameter tables: The tables; the name, the title and the columns are those of the first.
  /// - Returns: The table, with the notes that all tables have in common; nil if there are no tables, or they have
  ///   different columns.
  public static func joined(_ tables: [Table]) -> Table? {
    guard var whole = tables.first, tables.allSatisfy({ $0.columns == whole.columns }) else {
      return nil
    }
    whole.answer = []
    whole.keepNotes { note in tables.allSatisfy { $0.notes.contains(note) } }
    whole.cells = tables.flatMap(\.cells)
    return whole.sorted()
  }

  /// The cells of a column; empty if there is none of that name.
  public func cells(of column: String) -> [TableCell] {
    guard let index = columns.firstIndex(where: { $0.name == column }) else { return [] }
    return rows.map { $0[index] }
  }
}

extension Table {
  /// Whether a key of a row is empty, as in a row of all variants: such keys are no primary keys.
  package var hasEmptyKeys: Bool {
    let keys = columns.indices.filter { columns[$0].kind == .key }
    return rows.contains { row in keys.contains { row[$0] == .empty } }
  }
}
