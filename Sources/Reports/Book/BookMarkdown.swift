internal import Plots
internal import Tables

/// The file `report.md` of a book: answers, plots and the first rows of each table.
package struct BookMarkdown {
  private let book: Book

  /// The maximum number of rows of a table.
  static let mostRows = 24

  /// Creates the writer of a book.
  package init(_ book: Book) { self.book = book }

  /// The text of the file.
  package var bytes: [UInt8] {
    var text = "# \(Markdown.escaped(book.title))\n\n" + Markdown.list(book.answer)
    text += book.facts.map { "- \($0.name): \(Markdown.escaped($0.value))\n" }.joined() + "\n"
    for placed in book.placedOverview { text += Self.text(placed, level: 2) }
    for (index, chapter) in book.chapters.enumerated() {
      text += "## \(Markdown.escaped(chapter.experiment))\n\n"
      text += chapter.cards.isEmpty ? Markdown.list(chapter.answer) : Markdown.cards(chapter.cards)
      for placed in book.placed(chapter: index) { text += Self.text(placed, level: 3) }
    }
    text += "## Methods\n\n"
    for (report, explanation) in book.methods { text += Self.text(report, explanation) }
    return Array(text.utf8)
  }

  private static func text(_ placed: Book.PlacedSection, level: Int) -> String {
    let section = placed.section
    var text = String(repeating: "#", count: level) + " \(Markdown.escaped(section.title))\n\n"
    // The answer of a chapter is that of a section.
    if placed.chapter?.answer != section.answer { text += Markdown.list(section.answer) }
    for (path, figure) in placed.figures {
      text += "![\(Markdown.escaped(figure.title))](\(path))\n\n"
      text += "\(Markdown.escaped(figure.description))\n\n"
    }
    for (index, table) in section.tables.enumerated() {
      if index > 0 {
        text += String(repeating: "#", count: level + 1) + " \(Markdown.escaped(table.title))\n\n"
      }
      let shown = ShownRows(table, most: mostRows).table
      text += Markdown.table(shown) + "\n"
      let rest = table.rows.count - shown.rows.count
      text += rest > 0 ? "\(rest) more rows are in [\(table.name).csv](\(table.name).csv).\n\n" : ""
    }
    return text
  }

  private static func text(_ report: String, _ explanation: Explanation) -> String {
    var text = "### \(Markdown.escaped(report))\n\n\(Markdown.escaped(explanation.question))\n\n"
    text += "Input: \(Markdown.escaped(explanation.inputs))\n\n"
    text += "| columns | formula | source |\n| :--- | :--- | :--- |\n"
    for entry in explanation.entries {
      let cells = [entry.columns, entry.formula, entry.source].map { Markdown.escaped($0) }
      text += "| \(cells.joined(separator: " | ")) |\n"
    }
    return text + "\n"
  }
}

/// Pieces of Markdown, with what stands in them escaped.
enum Markdown {
  static func escaped(_ text: String) -> String {
    String(decoding: MarkdownWriter.escaped(text), as: UTF8.self)
  }

  /// Returns a list of sentences with an empty line after it; nothing if there are none.
  static func list(_ sentences: [String]) -> String {
    guard !sentences.isEmpty else { return "" }
    return sentences.map { "- \(escaped($0))\n" }.joined() + "\n"
  }

  /// Returns cards below a heading of the second level.
  static func cards(_ cards: [TableCard]) -> String {
    var bytes: [UInt8] = []
    for card in cards { MarkdownWriter(headingLevel: 2).append(card, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the rows of a table without its title and notes.
  static func table(_ table: Table) -> String {
    var bytes: [UInt8] = []
    MarkdownWriter(headingLevel: 0).write(table, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
