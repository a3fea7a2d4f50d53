internal import Specifications

/// A table as a terminal shows it: its rows in the order for people, and which of its columns.
struct TerminalView {
  /// The table; for a time series that is drawn, with a row for each line.
  let table: Table
  /// The key columns with the same value everywhere, said once above the rows.
  private(set) var said: [Int] = []
  /// The key columns of the rows, in the order in which people read them.
  private(set) var keys: [Int] = []
  /// The keys that can stand above their rows: those of texts, but for the last key.
  var groups: [Int] { keys.dropLast().filter { table.columns[$0].type == .text } }
  /// The other columns beside them.
  private(set) var measures: [Int] = []
  /// The columns of sentences, which stand below their row.
  private(set) var sentences: [Int] = []
  /// How many columns are not shown.
  private(set) var hidden = 0
  /// Whether rows of a time series are drawn.
  private(set) var isDrawn = false
  /// How many rows are not shown.
  private(set) var hiddenRows = 0
  /// Whether cards stand for the rows that are not broken down.
  let hasCards: Bool

  init(_ table: Table, detail: TableDetail, width: Int, allowsUnicode: Bool) {
    var ordered = table.sortedForPeople()
    hasCards = detail == .main && !table.cards.isEmpty
    if hasCards {
      ordered = ordered.filtered(by: "dimension") { $0 != .empty }
      hiddenRows = table.rows.count - ordered.rows.count
    }
    if detail == .main, table.focus != nil {
      ordered = ordered.focused
      hiddenRows = table.rows.count - ordered.rows.count
    }
    if detail == .main, let series = table.series {
      let length = width >= 100 ? 30 : 15
      let drawn = SeriesDrawing(ordered, series)
      if let lines = try? drawn.table(width: length, allowsUnicode: allowsUnicode) {
        hidden = table.columns.count - lines.columns.count
        (isDrawn, hiddenRows) = (true, table.rows.count)
        ordered = lines
      }
    }
    self.table = ordered
    choose(detail)
  }

  private mutating func choose(_ detail: TableDetail) {
    let columns = table.columns
    let all = Array(columns.indices)
    guard detail == .main, columns.contains(where: \.isMain) else {
      // Chosen columns keep the order in which they were chosen.
      let first = detail == .chosen ? [] : table.keysForPeople
      keys = first
      let below = all.filter {
        columns[$0].display == .sentence && !first.contains($0) && hasText($0)
      }
      // A row needs something to stand below.
      sentences = below.count < all.count ? below : []
      measures = all.filter { !first.contains($0) && !sentences.contains($0) }
      return
    }
    let ordered = table.keysForPeople
    let fixed = ordered.filter { isFixed($0) }
    // A row keeps a name of its own.
    let once = fixed.count < ordered.count ? fixed : fixed.dropLast()
    said = once
    keys = ordered.filter { !once.contains($0) }
    let main = all.filter { columns[$0].isMain && columns[$0].kind != .key && !isEmpty($0) }
    measures = main.filter { columns[$0].display != .sentence }
    sentences = main.filter { columns[$0].display == .sentence }
    hidden += columns.count - ordered.count - main.count
  }

  /// Returns whether a column has the same value in all rows.
  private func isFixed(_ column: Int) -> Bool {
    guard let first = table.rows.first?[column] else { return false }
    return table.rows.allSatisfy { $0[column] == first }
  }

  /// Returns whether a column has a text in some row.
  private func hasText(_ column: Int) -> Bool {
    table.rows.contains { $0[column] != .empty && $0[column] != .text("") }
  }

  /// Returns whether a column has no value in any row.
  private func isEmpty(_ column: Int) -> Bool {
    !table.rows.isEmpty && table.rows.allSatisfy { $0[column] == .empty }
  }
}

/// A time series with a row for each line that is drawn.
private struct SeriesDrawing {
  let table: Table
  let series: TableSeries

  init(_ table: Table, _ series: TableSeries) {
    self.table = table
    self.series = series
  }

  private func index(_ name: String) -> Int? { table.columns.firstIndex { $0.name == name } }

  /// Returns the rows of each combination of the keys but the one they follow each other along, in order.
  private func lines(_ keys: [Int]) -> [[Int]] {
    var places: [[NameKey]: Int] = [:]
    var lines: [[Int]] = []
    for row in table.rows.indices {
      // The length of an empty cell's description tells it from an empty text.
      let name = keys.map { NameKey("\(table.rows[row][$0])") }
      if let place = places[name] {
        lines[place].append(row)
      } else {
        places[name] = lines.count
        lines.append([row])
      }
    }
    return lines
  }

  func table(width: Int, allowsUnicode: Bool) throws(TableError) -> Table {
    let keys = table.columns.indices.filter {
      table.columns[$0].kind == .key && table.columns[$0].name != series.along
    }
    let last = series.last.compactMap(index)
    let drawn = series.drawn.compactMap { line in index(line.column).map { ($0, line.top) } }
    var result = try Table(
      name: table.name, title: table.title,
      columns: keys.map { table.columns[$0] } + last.map { table.columns[$0].main }
        + drawn.map { TableColumn.measure(table.columns[$0.0].name, .text, "").main })
    for line in lines(keys) {
      guard let end = line.last else { continue }
      try result.append(
        row: (keys + last).map { table.rows[end][$0] }
          + drawn.map { column, top in
            .text(
              Sparkline.text(
                line.map { number(table.rows[$0][column]) }, top: top, width: width,
                allowsUnicode: allowsUnicode))
          })
    }
    (result.answer, result.method) = (table.answer, table.method)
    for note in table.notes { result.note(note.name, note.value) }
    return result
  }

  private func number(_ cell: TableCell) -> Double? {
    switch cell {
    case .integer(let number): Double(number)
    case .decimal(let number): number
    default: nil
    }
  }
}
