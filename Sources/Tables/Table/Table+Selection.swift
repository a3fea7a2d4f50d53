internal import Specifications

extension Table {
  /// Returns the table with the columns of the given names, in that order.
  ///
  /// - Throws: ``TableError`` if a name is unknown, with the nearest one, or is given twice, or there are none.
  /// - Complexity: O(cells).
  public func selecting(_ names: [String]) throws(TableError) -> Table {
    let known = columns.map(\.name)
    var chosen: [Int] = []
    for name in names {
      guard let index = known.firstIndex(of: name) else {
        throw .unknownColumn(name, remedy: NearestName.remedy(for: name, among: known))
      }
      chosen.append(index)
    }
    var table = try Table(name: self.name, title: title, columns: chosen.map { columns[$0] })
    (table.answer, table.cards, table.method) = (answer, cards, method)
    for note in notes { table.note(note.name, note.value) }
    table.reserve(rows: rows.count)
    for row in rows { try table.append(row: chosen.map { row[$0] }) }
    return table
  }
}
