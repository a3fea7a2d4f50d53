internal import Tables

extension Table {
  /// Returns the table with another row in place of each.
  ///
  /// - Parameter replacement: Returns what takes the place of a row, given by the names of its columns and in order.
  /// - Returns: The table, with the same notes, method, answer and cards.
  /// - Throws: `TableError` only if a row does not fit the columns.
  func replacingRows(_ replacement: (NamedCells, [TableCell]) -> [TableCell]) throws(TableError) -> Table {
    var table = try Table(name: name, title: title, columns: columns)
    for (cells, row) in zip(NamedCells.rows(of: self), rows) {
      try table.append(row: replacement(cells, Array(row)))
    }
    for note in notes { table.note(note.name, note.value) }
    (table.method, table.answer, table.cards) = (method, answer, cards)
    return table
  }
}
