internal import Tables

/// A cell of a page's table: numbers rounded for reading, with the exact number for sorting; verdicts with a mark.
struct PageCell {
  private let cell: TableCell
  private let isVerdict: Bool

  /// Creates a cell of a column; nil for the value of a note.
  init(_ cell: TableCell, in column: TableColumn? = nil) {
    self.cell = cell
    isVerdict = column.map { $0.name == "verdict" || $0.name == "status" } ?? false
  }

  /// The text; empty for an empty cell.
  var text: String {
    switch cell {
    case .text(let text), .timestamp(let text): text
    case .integer(let number): String(number)
    case .decimal(let number): ReadableDecimal.text(number)
    case .flag(let flag): flag ? "yes" : "no"
    case .empty: ""
    }
  }

  /// The exact number, if the text is not it.
  var exactNumber: String? {
    guard case .decimal(let number) = cell else { return nil }
    let exact = number.description
    return Double(text) == number ? nil : exact
  }

  /// Returns the content of the cell; an empty one is a dash, with the reason if its row has a status.
  func html(status: String?) -> HTML {
    if cell == .empty {
      guard let status, !isVerdict else { return HTML(text: "–") }
      return HTML(.abbr, [.title: "no value: \(status)"]) { "–" }
    }
    guard isVerdict, let tone = PageTone(verdict: text) else { return HTML(text: text) }
    return HTML(.span, [.class: "tone \(tone.rawValue)"]) { text }
  }
}
