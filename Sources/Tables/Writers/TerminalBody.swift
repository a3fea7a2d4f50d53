/// The rows of a table on a terminal.
struct TerminalBody {
  private let writer: TerminalWriter
  private let view: TerminalView
  /// The key columns whose values are headings above their rows.
  private let groups: [Int]
  /// The columns side by side.
  private let shown: [Int]
  private let layout: TerminalLayout

  /// Creates the rows.
  ///
  /// - Parameters:
  ///   - writer: The writer.
  ///   - view: What is shown.
  ///   - groups: The key columns whose values are headings above their rows.
  ///   - shown: The columns side by side.
  ///   - measured: The widths of all columns of the table.
  init(
    _ writer: TerminalWriter, _ view: TerminalView, groups: some Sequence<Int>,
    shown: some Sequence<Int>, measured: [TerminalLayout.Measured]
  ) {
    self.writer = writer
    self.view = view
    self.groups = Array(groups)
    self.shown = Array(shown)
    let indent = self.groups.isEmpty ? 0 : TerminalLayout.gap
    let columns = self.shown
    layout = .plan(columns.map { measured[$0] }, width: writer.usableWidth - indent)
  }

  private var table: Table { view.table }

  /// The spaces before each row.
  private var indent: Int { groups.isEmpty ? 0 : TerminalLayout.gap }

  func append<Failure: Error>(
    to buffer: inout [UInt8], afterEachRow: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    switch layout {
    case .records:
      for (index, row) in table.rows.enumerated() {
        appendRecord(row, number: index + 1, to: &buffer)
        try afterEachRow(&buffer)
      }
      if table.rows.isEmpty { appendHeadings(to: &buffer) }
    case .blocks(let blocks):
      for (index, block) in blocks.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: "\n")) }
        appendHead(block, to: &buffer)
        var repeated = 1
        for (number, row) in table.rows.enumerated() {
          let next = number + 1 < table.rows.count ? table.rows[number + 1] : nil
          appendGroup(of: row, after: number > 0 ? table.rows[number - 1] : nil, to: &buffer)
          writer.append(line(block) { text(row, $0) }, .plain, to: &buffer)
          // Sentences follow the last of several tables.
          if index == blocks.count - 1 {
            if let next, hasSameSentences(row, next) {
              repeated += 1
            } else {
              appendSentences(of: row, rows: repeated, to: &buffer)
              repeated = 1
            }
          }
          try afterEachRow(&buffer)
        }
      }
    }
  }

  /// Returns a cell as shown, without truncation.
  private func text(_ row: Table.Row, _ column: Int) -> String {
    CellText.text(row[column], as: table.columns[column].display)
  }

  private func appendHead(_ block: [TerminalLayout.PlacedColumn], to buffer: inout [UInt8]) {
    if !groups.isEmpty {
      let names = groups.map { table.columns[$0].name }.joined(separator: " / ")
      for line in writer.wrapped(names) { writer.append(line, .bold, to: &buffer) }
    }
    let names = block.map { placed in
      TerminalText.headingLines(table.columns[shown[placed.index]].name, width: placed.width)
    }
    let height = names.map(\.count).max() ?? 0
    for row in 0..<height {
      // The lines of a name stand on the rule.
      let texts = zip(block, names).map { placed, lines in
        (shown[placed.index], row < height - lines.count ? "" : lines[row - height + lines.count])
      }
      let byColumn = Dictionary(texts) { first, _ in first }
      writer.append(line(block) { byColumn[$0] ?? "" }, .bold, to: &buffer)
    }
    let rules = block.map { String(repeating: writer.rule, count: $0.width) }
    let gap = String(repeating: " ", count: TerminalLayout.gap)
    writer.append(
      String(repeating: " ", count: indent) + rules.joined(separator: gap), .dim, to: &buffer)
  }

  /// Appends the heading of a group of rows before the first of them.
  private func appendGroup(
    of row: Table.Row, after previous: Table.Row?, to buffer: inout [UInt8]
  ) {
    guard !groups.isEmpty else { return }
    if let previous, groups.allSatisfy({ previous[$0] == row[$0] }) { return }
    let values = groups.map { row[$0] == .empty ? "-" : text(row, $0) }
    let isAll = groups.allSatisfy { row[$0] == .empty }
    let heading = isAll ? "(all)" : values.joined(separator: " / ")
    writer.append(
      TerminalText.fitted(heading, to: writer.usableWidth, mark: writer.mark), .bold, to: &buffer)
  }

  /// Returns the cells of a block side by side, truncated and padded, without trailing spaces.
  private func line(
    _ block: [TerminalLayout.PlacedColumn], text: (Int) -> String
  ) -> String {
    var line = ""
    var pending = indent
    for (position, placed) in block.enumerated() {
      let column = shown[placed.index]
      let cell = TerminalText.fitted(text(column), to: placed.width, mark: writer.mark)
      let padding = placed.width - TerminalText.width(cell)
      let isNumber = table.columns[column].type.isNumber
      if position > 0 { pending += TerminalLayout.gap }
      if isNumber { pending += padding }
      if !cell.isEmpty {
        line += String(repeating: " ", count: pending) + cell
        pending = 0
      }
      if !isNumber { pending += padding }
    }
    return line
  }

  /// Returns whether two rows are of the same group and have the same sentences.
  private func hasSameSentences(_ row: Table.Row, _ next: Table.Row) -> Bool {
    groups.allSatisfy { row[$0] == next[$0] }
      && view.sentences.allSatisfy { row[$0] == next[$0] }
  }

  /// Appends the sentences of a row, or of several that have the same ones, below the last of them.
  private func appendSentences(of row: Table.Row, rows: Int, to buffer: inout [UInt8]) {
    for column in view.sentences {
      let text = text(row, column)
      guard !text.isEmpty else { continue }
      let name = table.columns[column].name
      writer.appendPair(
        rows == 1 ? name : "\(name) of these \(rows)", text, .plain,
        indent: indent + TerminalLayout.gap, to: &buffer)
    }
  }

  private func appendRecord(_ row: Table.Row, number: Int, to buffer: inout [UInt8]) {
    let label = writer.rule + writer.rule + " \(number) "
    let rest = writer.usableWidth - TerminalText.width(label)
    writer.append(label + String(repeating: writer.rule, count: rest), .dim, to: &buffer)
    for column in groups + shown + view.sentences {
      writer.appendPair(table.columns[column].name, text(row, column), .plain, to: &buffer)
    }
  }

  /// Appends the headings alone, for a table without rows that is too wide for one line.
  private func appendHeadings(to buffer: inout [UInt8]) {
    for column in groups + shown + view.sentences {
      for line in writer.wrapped(table.columns[column].name) {
        writer.append(line, .bold, to: &buffer)
      }
    }
  }
}
