extension Table {
  /// Returns the first rows with the columns that people see: those that are main, or all if none is. Notes and the
  /// answer stay with the whole table.
  ///
  /// - Parameters:
  ///   - count: The maximum number of rows.
  ///   - isInKeyOrder: Whether the rows keep their order; by default they are in the order for people.
  /// - Returns: The excerpt.
  /// - Complexity: O(*n* log *n*) comparisons of keys.
  public func excerpt(rows count: Int, isInKeyOrder: Bool = false) -> Table {
    let main = columns.indices.filter { columns[$0].isMain }
    let shown = main.isEmpty ? Array(columns.indices) : main
    guard var table = try? Table(name: name, title: title, columns: shown.map { columns[$0] })
    else { return self }
    let ordered = isInKeyOrder ? self : sortedForPeople()
    table.cells = ordered.rows.prefix(count).flatMap { row in shown.map { row[$0] } }
    return table
  }
}
