extension Table {
  /// Returns the first rows with the columns that people see: those that are main, or all if none is. Notes and the
  /// answer stay with the whole table.
  ///
  /// - Complexity: O(cells of the excerpt).
  public func excerpt(rows count: Int) -> Table {
    let main = columns.indices.filter { columns[$0].isMain }
    let shown = main.isEmpty ? Array(columns.indices) : main
    guard var table = try? Table(name: name, title: title, columns: shown.map { columns[$0] })
    else { return self }
    table.cells = rows.prefix(count).flatMap { row in shown.map { row[$0] } }
    return table
  }
}
