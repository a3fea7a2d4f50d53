internal import Tables

extension Table {
  /// Returns a table of the rows of several tables with the same name, sorted by their keys.
  ///
  /// Columns are those of the first table, then those that only others have, which are empty in the rest. A note with
  /// counts has their sum; one with different texts has each of them once.
  ///
  /// - Parameter tables: The tables, at least one.
  /// - Returns: The table, with the answers of all, at most three sentences; nil without any table.
  /// - Throws: `TableError` if a column has different types in two tables.
  static func joining(_ tables: [Table]) throws(TableError) -> Table? {
    guard let first = tables.first else { return nil }
    var columns = first.columns
    for column in tables.dropFirst().flatMap(\.columns)
    where !columns.contains(where: { $0.name == column.name }) { columns.append(column) }
    var joined = try Table(name: first.name, title: first.title, columns: columns)
    for table in tables {
      let places = columns.map { column in
        table.columns.firstIndex { $0.name == column.name }
      }
      for row in table.rows {
        let cells = Array(row)
        try joined.append(row: places.map { $0.map { cells[$0] } ?? .empty })
      }
      for note in table.notes { joined.join(note) }
    }
    joined = joined.sorted()
    (joined.method, joined.series) = (first.method, first.series)
    joined.answer = Array(tables.flatMap(\.answer).prefix(3))
    joined.cards = tables.flatMap(\.cards)
    return joined
  }

  private mutating func join(_ note: TableNote) {
    guard let old = notes.first(where: { $0.name == note.name }) else {
      return self.note(note.name, note.value)
    }
    switch (old.value, note.value) {
    case (.integer(let a), .integer(let b)):
      self.note(note.name, a + b)
    case (.text(let a), .text(let b)) where !a.split(separator: "; or ").contains(b[...]):
      self.note(note.name, "\(a); or \(b)")
    default: break
    }
  }

  /// Returns the table with the rows that fulfil a condition, with its notes or without, and perhaps another name.
  func filtered(
    name: String? = nil, title: String? = nil, notes keepsNotes: Bool = true, _ isKept: (NamedCells) -> Bool
  ) throws(TableError) -> Table {
    var kept = try Table(name: name ?? self.name, title: title ?? self.title, columns: columns)
    for (cells, row) in zip(NamedCells.rows(of: self), rows) where isKept(cells) {
      try kept.append(row: Array(row))
    }
    for note in notes where keepsNotes { kept.note(note.name, note.value) }
    (kept.method, kept.series) = (method, series)
    return kept
  }
}
