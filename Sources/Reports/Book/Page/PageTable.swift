internal import Tables

/// A table of a page: main columns first, the others at the flick of a switch, rows that can be sorted and filtered.
struct PageTable {
  /// The number of rows that a page shows of a table; its CSV file has all of them.
  static let rowLimit = 100
  /// The number of rows from which a table has a field that filters them.
  static let filterLimit = 9

  private let table: Table
  private let anchor: String
  private let layout: PageColumns

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - table: The rows to show.
  ///   - anchor: Its anchor in the page.
  ///   - experiment: The experiment in whose chapter it is; nil for none.
  init(_ table: Table, anchor: String, experiment: String?) {
    self.table = table
    self.anchor = anchor
    layout = PageColumns(table, experiment: experiment)
  }

  var html: HTML {
    HTML(.div, [.class: "table", .part: "table"]) {
      notes(table.notes.filter(\.isLead))
      tools
      HTML(.div, [.class: "scroll", .tabindex: "0", .role: "group", .labelledBy: "\(anchor)--c"]) {
        HTML(.table, [.id: anchor]) {
          caption
          HTML(.thead) { HTML(.tr) { for place in layout.places { heading(place) } } }
          HTML(.tbody) { for cells in shownRows { row(cells) } }
        }
      }
      if table.rows.count > Self.rowLimit {
        HTML(.p, [.class: "hint"]) {
          "The first \(Self.rowLimit) of \(table.rows.count) rows; \(table.name).csv has all of them."
        }
      }
      otherNotes
    }
  }

  /// The rows in reading order, up to the limit: those with a bad verdict first where the table is of checks.
  private var shownRows: [Table.Row] {
    guard table.name == "health",
      let verdict = table.columns.firstIndex(where: { $0.name == "verdict" })
    else { return Array(table.rows.prefix(Self.rowLimit)) }
    let rows = table.rows.map { (row: $0, tone: PageTone(verdict: PageCell($0[verdict]).text)) }
    let bad = rows.filter { $0.tone == .bad } + rows.filter { $0.tone == .warning }
    let others = rows.filter { $0.tone != .bad && $0.tone != .warning }
    return (bad + others).prefix(Self.rowLimit).map(\.row)
  }

  private var caption: HTML {
    HTML(.caption, [.id: "\(anchor)--c"]) {
      HTML(.strong) { table.title.isEmpty ? table.name : table.title }
      for pair in layout.common {
        HTML(.span, [.class: "common"]) {
          "\(pair.name) "
          HTML(.bdi) { pair.value }
        }
      }
    }
  }

  /// The filter of the rows and the switch of the columns, where there is something to filter or to switch.
  private var tools: HTML {
    let hasFilter = table.rows.count >= Self.filterLimit
    let extra = layout.places.count { !$0.isMain }
    if !hasFilter, extra == 0 { return HTML() }
    return HTML(.div, [.class: "tools"]) {
      if hasFilter {
        HTML(.label, [.hidden: "", .part: "filter"]) {
          "Filter rows "
          HTML(.input, [.type: "search", .autocomplete: "off", .controls: anchor])
        }
        HTML(.span, [.class: "count", .role: "status"])
      }
      if extra > 0 {
        HTML(.label, [.class: "wide"]) {
          HTML(.input, [.type: "checkbox", .controls: anchor])
          " All \(layout.places.count) columns"
        }
      }
    }
  }

  private func heading(_ place: PageColumns.Place) -> HTML {
    let column = table.columns[place.index]
    return HTML(.th, [.scope: "col", .class: place.style]) {
      HTML(.button, [.type: "button", .title: column.description]) { column.name }
    }
  }

  private func row(_ row: Table.Row) -> HTML {
    HTML(.tr) {
      for place in layout.places {
        let cell = PageCell(row[place.index], in: table.columns[place.index])
        HTML(
          place.isHeading ? .th : .td,
          [.scope: place.isHeading ? "row" : nil, .class: place.style, .value: cell.exactNumber]
        ) { cell.html(status: layout.status(of: row)) }
      }
    }
  }

  private func notes(_ notes: [TableNote]) -> HTML {
    if notes.isEmpty { return HTML() }
    return HTML(.dl, [.class: "notes"]) {
      for note in notes {
        HTML(.div) {
          HTML(.dt) { note.name }
          HTML(.dd) { PageCell(note.value).text }
        }
      }
    }
  }

  private var otherNotes: HTML {
    let others = table.notes.filter { !$0.isLead }
    if others.isEmpty { return HTML() }
    return HTML(.details, [.class: "more"]) {
      HTML(.summary) { "Rules and counts" }
      notes(others)
    }
  }
}
