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
    /// The class of its heading; nil for a text that is shown at once.
    var style: String?
    /// The class of its cells; nil for a number that is shown at once and names no row, as most are.
    var cellStyle: String?
  }

  /// The columns in order.
  private(set) var places: [Place] = []
  /// The keys that have the same value in every row, but for the experiment of the chapter.
  private(set) var common: [(name: String, value: String)] = []
  /// The index of the column that says why a value is missing.
  private let statusColumn: Int?

  /// Creates the layout of rows in the chapter of an experiment, or outside of chapters.
  ///
  /// As on a terminal, keys come first, those of text before the others, and are left out if they are the same in every
  /// row; of the measures the main ones are shown, or all if there are none.
  init(_ table: Table, rows: [Table.Row], experiment: String?) {
    let columns = table.columns
    let keys = table.keysForPeople
    let status = columns.firstIndex { $0.name == "status" }
    statusColumn = status
    let same = keys.filter { Self.isSame($0, in: rows) }
    // A row keeps a name of its own.
    let once = same.count < keys.count ? same : same.dropLast()
    common = once.compactMap { index in
      guard let cell = rows.first?[index], cell != .empty else { return nil }
      let isChapter = columns[index].name == "experiment" && cell == .text(experiment ?? "")
      return isChapter ? nil : (columns[index].name, PageCell(cell, in: columns[index]).text)
    }
    let hasMain = columns.contains(where: \.isMain)
    let names = keys.filter { !once.contains($0) }
    let measures = columns.indices.filter { !keys.contains($0) }
    places = (names + measures).map { index in
      let isMain =
        if names.contains(index) {
          true
        } else if index == status {
          !hasMain || columns[index].isMain || Self.saysWhy(index, in: rows)
        } else {
          !hasMain || columns[index].isMain && !Self.isEmpty(index, in: rows)
        }
      return Place(
        index: index, isMain: isMain, isHeading: index == names.last,
        style: Self.style(columns[index], text: nil, number: "n", isMain: isMain),
        cellStyle: Self.style(columns[index], text: "t", number: index == names.last ? "n" : nil, isMain: isMain))
    }
  }

  /// Returns the classes of a column with those of a text and of a number; nil for none.
  private static func style(
    _ column: TableColumn, text: String?, number: String?, isMain: Bool
  ) -> String? {
    let kind =
      column.type == .integer || column.type == .decimal
      ? number : column.display == .sentence ? "s" : text
    let classes = [kind, isMain ? nil : "x"].compactMap { $0 }
    return classes.isEmpty ? nil : classes.joined(separator: " ")
  }

  /// Returns why values of a row are missing; nil if it does not say.
  func status(of row: Table.Row) -> String? {
    guard let statusColumn, case .text(let text) = row[statusColumn] else { return nil }
    return text == "ok" ? nil : text
  }

  /// Returns whether a column has the same value in all rows.
  private static func isSame(_ index: Int, in rows: [Table.Row]) -> Bool {
    guard let first = rows.first else { return false }
    return rows.allSatisfy { $0[index] == first[index] }
  }

  /// Returns whether a column has no value in any row.
  private static func isEmpty(_ index: Int, in rows: [Table.Row]) -> Bool {
    !rows.isEmpty && rows.allSatisfy { $0[index] == .empty }
  }

  /// Returns whether a status is other than `ok` in some row.
  private static func saysWhy(_ index: Int, in rows: [Table.Row]) -> Bool {
    rows.contains { $0[index] != .text("ok") && $0[index] != .empty }
  }
}
