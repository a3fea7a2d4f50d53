internal import Tables

/// A card as HTML: what an experiment came to, with a row for each variant.
struct PageCard {
  private let card: TableCard
  private let anchor: String

  /// Creates the markup of a card with an anchor.
  init(_ card: TableCard, at anchor: String) { (self.card, self.anchor) = (card, anchor) }

  var html: HTML {
    HTML(.div, [.class: ["card", card.tone.map { "\($0.rawValue)-news" }].compactMap(\.self).joined(separator: " ")]) {
      if !card.facts.isEmpty { HTML(.p, [.class: "hint"]) { card.facts.joined(separator: " · ") } }
      HTML(.p, [.class: "headline"]) { HTML(sentence: card.headline) }
      HTML(
        .div, [.class: "scroll", .tabindex: "0", .role: "group", .labelledBy: "\(anchor)--c"]
      ) { table }
      HTML(.dl, [.class: "lines"]) {
        for line in card.lines {
          HTML(.div) {
            HTML(.dt) { line.name }
            HTML(.dd) { HTML(sentence: line.text) }
          }
        }
      }
    }
  }

  private var table: HTML {
    let columns = card.table.columns
    return HTML(.table) {
      HTML(.caption, [.id: "\(anchor)--c", .class: "unseen"]) { "Variants of \(card.title)" }
      HTML(.thead) {
        HTML(.tr) {
          for column in columns {
            HTML(.th, [.scope: "col", .class: Self.style(column)]) { Self.heading(column) }
          }
        }
      }
      HTML(.tbody) {
        for row in card.table.rows {
          HTML(.tr) {
            for (index, column) in columns.enumerated() {
              let isName = column.name == "variant"
              HTML(
                isName ? .th : .td,
                [
                  .scope: isName ? "row" : nil, .class: Self.style(column),
                  .heading: row[index] == .empty ? nil : Self.heading(column),
                ]
              ) {
                PageCell(row[index], in: column).html(status: nil)
              }
            }
          }
        }
      }
    }
  }

  private static func heading(_ column: TableColumn) -> String {
    column.name.replacing("_", with: " ")
  }

  /// Numbers, and texts made of them, stand at the end of their cells.
  private static func style(_ column: TableColumn) -> String? {
    ["metric", "variant", "verdict"].contains(column.name) ? nil : "n"
  }
}
