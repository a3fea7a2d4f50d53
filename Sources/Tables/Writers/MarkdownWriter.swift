internal import Specifications

/// Writes a table as a GitHub Markdown table under its title and what it answers, with numbers right-aligned and notes
/// below. Names are in natural order, `v2` before `v10`; numbers are as exact as in CSV.
///
/// Markdown and HTML markup is escaped, a line break in a cell becomes `<br>`, and other control characters are shown
/// as `\u{1B}`.
public struct MarkdownWriter: TableWriter {
  /// The level of the title's heading; 0 leaves the title out, more than 6 count as 6.
  public var headingLevel: Int

  /// Creates a writer.
  public init(headingLevel: Int = 2) {
    self.headingLevel = headingLevel
  }

  public func write<Failure: Error>(
    _ table: Table, to buffer: inout [UInt8],
    afterEachRow: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let table = table.sortedForPeople()
    appendHead(table, to: &buffer)
    for row in table.rows {
      buffer.append(UInt8(ascii: "|"))
      for index in row.indices { appendCell(row[index], to: &buffer) }
      buffer.append(UInt8(ascii: "\n"))
      try afterEachRow(&buffer)
    }
    guard !table.notes.isEmpty else { return }
    buffer.append(UInt8(ascii: "\n"))
    append(table.notes, to: &buffer)
  }

  private func append(_ notes: [TableNote], to buffer: inout [UInt8]) {
    for note in notes {
      buffer.append(contentsOf: "- ".utf8)
      appendEscaped(note.name, to: &buffer)
      buffer.append(contentsOf: ": ".utf8)
      append(note.value, to: &buffer)
      buffer.append(UInt8(ascii: "\n"))
    }
  }

  private func appendHead(_ table: Table, to buffer: inout [UInt8]) {
    if headingLevel > 0, !table.title.isEmpty {
      buffer.append(contentsOf: String(repeating: "#", count: min(headingLevel, 6)).utf8)
      buffer.append(UInt8(ascii: " "))
      appendEscaped(table.title, to: &buffer)
      buffer.append(contentsOf: "\n\n".utf8)
    }
    for card in table.cards { append(card, to: &buffer) }
    for sentence in table.cards.isEmpty ? table.answer : [] { appendParagraph(sentence, to: &buffer) }
    buffer.append(UInt8(ascii: "|"))
    for column in table.columns { appendCell(.text(column.name), to: &buffer) }
    buffer.append(contentsOf: "\n|".utf8)
    for column in table.columns {
      buffer.append(contentsOf: (column.type.isNumber ? " ---: |" : " :--- |").utf8)
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Appends a card: its heading, facts and first sentence, then its rows and the lines below them.
  package func append(_ card: TableCard, to buffer: inout [UInt8]) {
    let level = min(max(headingLevel, 1) + 1, 6)
    appendParagraph(card.title, after: String(repeating: "#", count: level) + " ", to: &buffer)
    if !card.facts.isEmpty { appendParagraph(card.facts.joined(separator: " · "), to: &buffer) }
    appendParagraph(card.headline, to: &buffer)
    MarkdownWriter(headingLevel: 0).write(card.table, to: &buffer)
    buffer.append(UInt8(ascii: "\n"))
    for line in card.lines { appendParagraph("\(line.name): \(line.text)", after: "- ", end: "\n", to: &buffer) }
    buffer.append(UInt8(ascii: "\n"))
  }

  private func appendParagraph(
    _ text: String, after mark: String = "", end: String = "\n\n", to buffer: inout [UInt8]
  ) {
    buffer.append(contentsOf: mark.utf8)
    appendEscaped(text, to: &buffer)
    buffer.append(contentsOf: end.utf8)
  }

  private func appendCell(_ cell: TableCell, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: " "))
    if cell != .empty {
      append(cell, to: &buffer)
      buffer.append(UInt8(ascii: " "))
    }
    buffer.append(UInt8(ascii: "|"))
  }

  private func append(_ cell: TableCell, to buffer: inout [UInt8]) {
    switch cell {
    case .text(let text), .timestamp(let text): appendEscaped(text, to: &buffer)
    case .integer(let number): NumberText.append(Int64(number), to: &buffer)
    case .decimal(let number): NumberText.append(cell: number, to: &buffer)
    case .flag(let flag): buffer.append(contentsOf: (flag ? "true" : "false").utf8)
    case .empty: break
    }
  }

  /// Returns a text as it stands in Markdown: without markup, line breaks and control characters.
  package static func escaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    MarkdownWriter().appendEscaped(text, to: &bytes)
    return bytes
  }

  private func appendEscaped(_ text: String, to buffer: inout [UInt8]) {
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "\\", "|", "*", "`", "[", "]", "~", "$", "#":
        buffer.append(UInt8(ascii: "\\"))
        buffer.append(contentsOf: UTF8.encode(scalar) ?? .init())
      case "_" where !Self.isInsideWord(index, scalars): buffer.append(contentsOf: "\\_".utf8)
      case "<": buffer.append(contentsOf: "&lt;".utf8)
      case ">": buffer.append(contentsOf: "&gt;".utf8)
      case "&": buffer.append(contentsOf: "&amp;".utf8)
      case "\n": buffer.append(contentsOf: "<br>".utf8)
      default:
        if let escape = TerminalText.escape(of: scalar) {
          // The backslash of the escape is doubled, as Markdown would take it for its own.
          buffer.append(UInt8(ascii: "\\"))
          buffer.append(contentsOf: escape.utf8)
        } else {
          buffer.append(contentsOf: UTF8.encode(scalar) ?? .init())
        }
      }
    }
  }

  /// Returns whether an underscore is between two letters or digits: it is no markup there, and headings stay
  /// readable.
  private static func isInsideWord(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    guard index > 0, index + 1 < scalars.count else { return false }
    return [scalars[index - 1], scalars[index + 1]].allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
  }
}
