internal import Tables

/// A cell of a page's table: numbers rounded for reading, with the exact number for sorting; verdicts with a mark.
struct PageCell {
  private let cell: TableCell
  private let display: TableColumn.Display
  private let isVerdict: Bool

  /// Creates a cell of a column; nil for the value of a note.
  init(_ cell: TableCell, in column: TableColumn? = nil) {
    self.cell = cell
    display = column?.display ?? .plain
    isVerdict = column.map { PageTone.columns.contains($0.name) } ?? false
  }

  /// The text, as in the other formats for people; empty for an empty cell.
  var text: String { CellText.text(cell, as: display) }

  /// Whether the text is too long for one line.
  var isLong: Bool {
    if case .text(let text) = cell { text.utf8.count > Self.lineLimit } else { false }
  }

  /// The greatest length in bytes of a text that is not broken into lines.
  private static let lineLimit = 32

  /// The exact number, if the text is not it.
  var exactNumber: String? {
    switch cell {
    case .integer(let number): Int(text) == number ? nil : String(number)
    case .decimal(let number): Double(text) == number ? nil : number.description
    default: nil
    }
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
