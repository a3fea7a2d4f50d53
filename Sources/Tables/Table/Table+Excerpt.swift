extension Table {
  /// Returns the first rows, in the order for people, with the columns that they see: those that are main, or all if
  /// none is. Notes and the answer stay with the whole table.
  ///
  /// - Complexity: O(*n* log *n*) comparisons of keys.
  public func excerpt(rows count: Int) -> Table {
    let main = columns.indices.filter { columns[$0].isMain }
    let shown = main.isEmpty ? Array(columns.indices) : main
    guard var table = try? Table(name: name, title: title, columns: shown.map { columns[$0] })
    else { return self }
    table.cells = sortedForPeople().rows.prefix(count).flatMap { row in shown.map { row[$0] } }
    return table
  }
}
