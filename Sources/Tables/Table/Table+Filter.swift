package import Specifications

extension Table {
  /// Returns the table without the rows whose cell in a column is not wanted, and without its answer and its counts,
  /// which concern all rows. Notes that are texts, such as the attribution, hold for any part.
  ///
  /// - Parameters:
  ///   - column: The name of the column; if there is none of that name, no row remains.
  ///   - isWanted: Whether the rows with a cell remain.
  /// - Returns: The table.
  /// - Complexity: O(cells).
  public func filtered(by column: String, where isWanted: (TableCell) -> Bool) -> Table {
    var table = withoutRows
    guard let index = columns.firstIndex(where: { $0.name == column }) else { return table }
    for row in rows where isWanted(row[index]) { table.cells += row.cells }
    if column == "experiment" { table.cards = cards.filter { isWanted(.text($0.experiment)) } }
    return table
  }

  /// Returns the parts of the table that have the same text in a column, as ``filtered(by:where:)`` returns each.
  ///
  /// - Complexity: O(cells).
  package func divided(by column: String) -> [NameKey: Table] {
    guard let index = columns.firstIndex(where: { $0.name == column }) else { return [:] }
    let empty = withoutRows
    var parts: [NameKey: Table] = [:]
    for row in rows {
      guard case .text(let text) = row[index] else { continue }
      parts[NameKey(text), default: empty].cells += row.cells
    }
    if column == "experiment" {
      for card in cards { parts[NameKey(card.experiment)]?.cards.append(card) }
    }
    return parts
  }

  private var withoutRows: Table {
    var table = self
    (table.answer, table.cards) = ([], [])
    table.keepNotes { if case .text = $0.value { true } else { false } }
    table.cells = []
    return table
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
