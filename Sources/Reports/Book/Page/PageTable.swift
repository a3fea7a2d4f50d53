internal import Tables

/// A table of a page: main columns first, the others at the flick of a switch, rows that can be sorted and filtered.
struct PageTable {
  /// The number of rows that a page shows of a table; its CSV file has all of them.
  static let rowLimit = 100
  /// The number of rows from which a table has a field that filters them.
  static let filterLimit = 9

  /// The number of rows above which a table scrolls in a box of its own, below its headings.
  static let boxLimit = 20

  /// Where a table is in the page.
  struct Place {
    /// Its anchor.
    var anchor: String
    /// The experiment in whose chapter it is; nil for none.
    var experiment: String?
    /// The sentences that stand above it already, which are not repeated.
    var said: [String] = []
  }

  private let table: Table
  private let rows: [Table.Row]
  private let hasNotes: Bool
  private let place: Place
  private let layout: PageColumns
  private var anchor: String { place.anchor }

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - rows: The rows to show, in order; nil for all.
  ///   - hasNotes: Whether what the table says and its notes belong to it.
  ///   - place: Where it is in the page.
  init(_ table: Table, rows: [Table.Row]? = nil, hasNotes: Bool = true, at place: Place) {
    let rows = rows ?? Array(table.sortedForPeople().rows)
    (self.table, self.rows, self.hasNotes, self.place) = (table, rows, hasNotes, place)
    layout = PageColumns(table, rows: rows, experiment: place.experiment)
  }

  var html: HTML {
    HTML(.div, [.class: "table", .part: "table"]) {
      if hasNotes { PageAnswer(table.answer.filter { !place.said.contains($0) }).html }
      tools
      HTML(
        .div,
        [
          .class: isLong ? "scroll long" : "scroll", .tabindex: "0", .role: "group",
          .labelledBy: "\(anchor)--c",
        ]
      ) {
        HTML(.table, [.id: anchor]) {
          caption
          HTML(.thead) { HTML(.tr) { for place in layout.places { heading(place) } } }
          HTML(.tbody) { for cells in rows.prefix(Self.rowLimit) { row(cells) } }
        }
      }
      if rows.count > Self.rowLimit {
        HTML(.p, [.class: "hint"]) {
          "The first \(Self.rowLimit) of \(rows.count) rows; \(table.name).csv has all of them."
        }
      }
      if hasNotes { notes }
    }
  }

  private var isLong: Bool { rows.count > Self.boxLimit }

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
    let hasFilter = rows.count >= Self.filterLimit
    let extra = layout.places.count { !$0.isMain }
    if !hasFilter, extra == 0 { return HTML() }
    return HTML(.div, [.class: "tools"]) {
      if hasFilter {
        HTML(.label, [.part: "filter"]) {
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
      HTML(.button, [.type: "button", .title: column.description]) { HTML(name: column.name) }
    }
  }

  private func row(_ row: Table.Row) -> HTML {
    HTML(.tr) {
      for place in layout.places {
        let cell = PageCell(row[place.index], in: table.columns[place.index])
        HTML(
          place.isHeading ? .th : .td,
          [
            .scope: place.isHeading ? "row" : nil, .value: cell.exactNumber,
            .class: cell.isLong
              ? [place.cellStyle, "l"].compactMap(\.self).joined(separator: " ") : place.cellStyle,
          ]
        ) { cell.html(status: layout.status(of: row)) }
      }
    }
  }

  /// The method, and on demand the rules by which the table was made and what was left out.
  private var notes: HTML {
    if table.notes.isEmpty, table.method == nil { return HTML() }
    return HTML(.details, [.class: "more"]) {
      HTML(.summary) {
        if let method = table.method { "Method: \(method.text)" } else { "Rules and counts" }
      }
      HTML(.dl, [.class: "notes"]) {
        for note in table.notes {
          HTML(.div) {
            HTML(.dt) { HTML(name: note.name) }
            HTML(.dd) { PageCell(note.value).text }
          }
        }
      }
    }
  }
}
