// Cards before the rows.
extension TerminalWriter {
  /// The number of cards above which there is a sentence for each and nothing else.
  private static let mostCards = 6

  func append(_ cards: [TableCard], to buffer: inout [UInt8]) {
    guard cards.count <= Self.mostCards else {
      for card in cards {
        appendPair(
          TerminalText.escaped(card.title), TerminalText.escaped(card.headline), .plain, to: &buffer)
      }
      return buffer.append(UInt8(ascii: "\n"))
    }
    for card in cards { append(card, to: &buffer) }
  }

  private func append(_ card: TableCard, to buffer: inout [UInt8]) {
    appendTitle(of: card, to: &buffer)
    for line in wrapped(card.headline) { append(line, .plain, to: &buffer) }
    if let view = view(of: card.table) {
      body(view).append(to: &buffer) { _ in }
    } else {
      appendRows(of: card.table, to: &buffer)
    }
    for line in card.lines {
      appendPair(
        TerminalText.escaped(line.name), TerminalText.escaped(line.text), .plain, to: &buffer)
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Appends each row as a line of names and values, of which none is cut.
  private func appendRows(of table: Table, to buffer: inout [UInt8]) {
    for row in table.rows {
      let cells = table.columns.indices.map { CellText.text(row[$0], as: table.columns[$0].display) }
      let isName = { (index: Int) in ["metric", "variant"].contains(table.columns[index].name) }
      let names = table.columns.indices.filter(isName).map { cells[$0] }
      let values = table.columns.indices.filter { !isName($0) && !cells[$0].isEmpty }.map {
        "\(table.columns[$0].name.replacing("_", with: " ")) \(cells[$0])"
      }
      appendPair(names.joined(separator: ", "), values.joined(separator: ", "), .plain, to: &buffer)
    }
  }

  /// Returns the rows without the columns that are not main, the first of them first, until the others fit; nil if they
  /// do not.
  private func view(of table: Table) -> TerminalView? {
    var names = table.columns.map(\.name)
    var spare = table.columns.filter { !$0.isMain }.map(\.name)
    while true {
      let shown = (try? table.selecting(names)) ?? table
      let view = TerminalView(shown, detail: .all, width: usableWidth, allowsUnicode: allowsUnicode)
      let columns = measured(view).map(\.withWrappedHeading)
      if TerminalLayout.fits(columns, width: usableWidth) { return view }
      guard !spare.isEmpty else { return nil }
      names.removeAll { $0 == spare[0] }
      spare.removeFirst()
    }
  }

  /// Appends the title with the facts at the end of its line, or below it where they do not fit.
  private func appendTitle(of card: TableCard, to buffer: inout [UInt8]) {
    let title = TerminalText.escaped(card.title)
    let facts = TerminalText.escaped(card.facts.joined(separator: allowsUnicode ? " · " : ", "))
    let room = usableWidth - TerminalText.width(title) - TerminalText.width(facts)
    guard room >= TerminalLayout.gap else {
      for line in wrapped(card.title) { append(line, .bold, to: &buffer) }
      for line in wrapped(card.facts.joined(separator: ", ")) { append(line, .dim, to: &buffer) }
      return
    }
    append(title + String(repeating: " ", count: room) + facts, .bold, to: &buffer)
  }
}
