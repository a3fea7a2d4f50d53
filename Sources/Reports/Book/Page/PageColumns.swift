internal import Tables

/// How the columns of a table are shown: which at once and which on demand, which names the rows, and which have the
/// same value in every row, so that the caption says it once.
struct PageColumns {
  /// A column that is shown.
  struct Place {
    /// The index in the table.
    var index: Int
    /// Whether it is shown at once.
    var isMain: Bool
    /// Whether its cells name their rows.
    var isHeading: Bool
    /// The class of its cells; nil for a text that is shown at once.
    var style: String?
  }

  /// The columns in order.
  private(set) var places: [Place] = []
  /// The keys that have the same value in every row, but for the experiment of the chapter.
  private(set) var common: [(name: String, value: String)] = []
  /// The index of the column that says why a value is missing.
  private let statusColumn: Int?

  /// Creates the layout of rows in the chapter of an experiment, or outside of chapters.
  init(_ columns: [TableColumn], rows: [Table.Row], experiment: String?) {
    let status = columns.firstIndex { $0.name == "status" }
    statusColumn = status
    let hasMain = columns.contains(where: \.isMain)
    var shown: Set<Int> = []
    for (index, column) in columns.enumerated() {
      if let value = Self.commonValue(index, of: rows), column.kind == .key {
        if value != .text(experiment ?? "") || column.name != "experiment" {
          if value != .empty { common.append((column.name, PageCell(value).text)) }
        }
      } else if !hasMain || column.isMain || index == status && Self.saysWhy(index, in: rows) {
        shown.insert(index)
      }
    }
    // A table whose rows differ in nothing but hidden columns still shows something.
    if shown.isEmpty { shown = Set(columns.indices) }
    let heading = columns.indices.last { columns[$0].kind == .key && shown.contains($0) }
    places = columns.indices.map { index in
      let classes = [
        columns[index].type == .integer || columns[index].type == .decimal ? "n" : nil,
        shown.contains(index) ? nil : "x",
      ].compactMap { $0 }
      return Place(
        index: index, isMain: shown.contains(index), isHeading: index == heading,
        style: classes.isEmpty ? nil : classes.joined(separator: " "))
    }
  }

  /// Returns why values of a row are missing; nil if it does not say.
  func status(of row: Table.Row) -> String? {
    guard let statusColumn, case .text(let text) = row[statusColumn] else { return nil }
    return text == "ok" ? nil : text
  }

  /// Returns the value of a column that is the same in several rows; nil if it is not, or there is one row.
  private static func commonValue(_ index: Int, of rows: [Table.Row]) -> TableCell? {
    guard rows.count > 1, let first = rows.first else { return nil }
    return rows.allSatisfy { $0[index] == first[index] } ? first[index] : nil
  }

  /// Returns whether a status is other than `ok` in some row.
  private static func saysWhy(_ index: Int, in rows: [Table.Row]) -> Bool {
    rows.contains { $0[index] != .text("ok") && $0[index] != .empty }
  }
}
