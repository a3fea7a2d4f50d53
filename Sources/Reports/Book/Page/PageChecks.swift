internal import Tables

/// The checks of a report such as `health`: those that found a problem at once, failed ones first, others on demand.
struct PageChecks {
  private let table: Table
  private let place: PageTable.Place
  private let problems: [Table.Row]
  private let others: [Table.Row]

  /// Creates the checks of a table at a place of the page.
  init(_ table: Table, at place: PageTable.Place) {
    (self.table, self.place) = (table, place)
    let verdict = table.columns.firstIndex { $0.name == "verdict" }
    let rows = table.sortedForPeople().rows.map { row in
      (row: row, tone: verdict.flatMap { PageTone(verdict: PageCell(row[$0]).text) })
    }
    let failed = rows.filter { $0.tone == .bad } + rows.filter { $0.tone == .warning }
    problems = failed.map(\.row)
    others = rows.filter { $0.tone != .bad && $0.tone != .warning }.map(\.row)
  }

  var html: HTML {
    var all = HTML()
    if !problems.isEmpty { all.append(PageTable(table, rows: problems, at: place).html) }
    if !others.isEmpty {
      var rest = place
      rest.anchor += "--others"
      let table = PageTable(table, rows: others, hasNotes: problems.isEmpty, at: rest)
      all.append(
        HTML(.details, [.class: "more"]) {
          HTML(.summary) { "The \(others.count) checks that found no problem" }
          table.html
        })
    }
    return all
  }
}
