/// Writes a table for a terminal: aligned columns, numbers right-aligned and rounded to six significant digits, title
/// and leading notes above, other notes below.
///
/// No line is wider than the given width. If the table is, long texts are truncated with `…`, then the columns are
/// split into several tables that repeat the keys, and finally each row becomes a list; no column is ever left out.
/// Control characters in texts are shown as `\n` or `\u{1B}`, so that text from a log cannot control the terminal.
public struct TerminalWriter: TableWriter {
  /// The minimum supported width.
  public static let leastWidth = 20

  /// The width of the terminal in columns; smaller values count as ``leastWidth``.
  public var width: Int

  /// Whether headings may be bold and rules and notes dim.
  public var allowsColour: Bool

  /// Creates a writer.
  public init(width: Int = 80, allowsColour: Bool = false) {
    self.width = width
    self.allowsColour = allowsColour
  }

  public func write<Failure: Error>(
    _ table: Table, to buffer: inout [UInt8],
    afterEachRow: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    for line in wrapped(table.title) where !line.isEmpty { append(line, .bold, to: &buffer) }
    append(table.notes.filter(\.isLead), .plain, to: &buffer)
    switch TerminalLayout.plan(measured(table), width: usableWidth) {
    case .records:
      for (index, row) in table.rows.enumerated() {
        appendRecord(row, number: index + 1, of: table, to: &buffer)
        try afterEachRow(&buffer)
      }
      if table.rows.isEmpty { appendHeadings(table, to: &buffer) }
    case .blocks(let blocks):
      for (index, block) in blocks.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: "\n")) }
        appendHead(block, of: table, to: &buffer)
        for row in table.rows {
          append(line(block, table.columns) { text(row[$0]) }, .plain, to: &buffer)
          try afterEachRow(&buffer)
        }
      }
    }
    appendFoot(table, to: &buffer)
  }

  private var usableWidth: Int { max(width, Self.leastWidth) }

  private func measured(_ table: Table) -> [TerminalLayout.Measured] {
    var result = table.columns.map {
      TerminalLayout.Measured(
        heading: TerminalText.width($0.name), cells: 0, canBeCut: $0.type == .text,
        isKey: $0.kind == .key)
    }
    for row in table.rows {
      for index in row.indices {
        result[index].cells = max(result[index].cells, TerminalText.width(text(row[index])))
      }
    }
    // Texts wider than the terminal are truncated in any case; this keeps planned widths small.
    for index in result.indices where result[index].canBeCut {
      result[index].cells = min(result[index].cells, usableWidth)
    }
    return result
  }

  /// Returns a cell as shown, without truncation.
  private func text(_ cell: TableCell) -> String {
    switch cell {
    case .text(let text), .timestamp(let text): TerminalText.escaped(text)
    case .integer(let number): String(number)
    case .decimal(let number): ReadableDecimal.text(number)
    case .flag(let flag): flag ? "true" : "false"
    case .empty: ""
    }
  }
}

// The parts of the output.
extension TerminalWriter {
  private func appendHead(
    _ block: [TerminalLayout.PlacedColumn], of table: Table, to buffer: inout [UInt8]
  ) {
    append(line(block, table.columns) { table.columns[$0].name }, .bold, to: &buffer)
    let rules = block.map { String(repeating: "─", count: $0.width) }
    append(rules.joined(separator: gap), .dim, to: &buffer)
  }

  /// Returns the cells of a block side by side, truncated and padded, without trailing spaces.
  private func line(
    _ block: [TerminalLayout.PlacedColumn], _ columns: [TableColumn], text: (Int) -> String
  ) -> String {
    var line = ""
    var pending = 0
    for (position, placed) in block.enumerated() {
      let cell = TerminalText.fitted(text(placed.index), to: placed.width)
      let padding = placed.width - TerminalText.width(cell)
      let isNumber = columns[placed.index].type.isNumber
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

  private func appendRecord(
    _ row: Table.Row, number: Int, of table: Table, to buffer: inout [UInt8]
  ) {
    let label = "── \(number) "
    append(label + String(repeating: "─", count: usableWidth - label.count), .dim, to: &buffer)
    for index in row.indices {
      appendPair(table.columns[index].name, text(row[index]), .plain, to: &buffer)
    }
  }

  /// Appends the headings alone, for a table without rows that is too wide for one line.
  private func appendHeadings(_ table: Table, to buffer: inout [UInt8]) {
    for column in table.columns {
      for line in wrapped(column.name) { append(line, .bold, to: &buffer) }
    }
  }

  private func appendFoot(_ table: Table, to buffer: inout [UInt8]) {
    if table.rows.isEmpty { append("(no rows)", .dim, to: &buffer) }
    let notes = table.notes.filter { !$0.isLead }
    guard !notes.isEmpty else { return }
    buffer.append(UInt8(ascii: "\n"))
    append(notes, .dim, to: &buffer)
  }

  private func append(_ notes: [TableNote], _ weight: Weight, to buffer: inout [UInt8]) {
    for note in notes {
      appendPair(TerminalText.escaped(note.name), text(note.value), weight, to: &buffer)
    }
  }

  /// Appends `name: value`, with what does not fit indented below.
  private func appendPair(
    _ name: String, _ value: String, _ weight: Weight, to buffer: inout [UInt8]
  ) {
    let lines = TerminalText.wrapped(
      value.isEmpty ? "\(name):" : "\(name): \(value)", width: usableWidth - gap.count)
    for (index, line) in lines.enumerated() {
      append((index > 0 ? gap : "") + line, weight, to: &buffer)
    }
  }

  private var gap: String { String(repeating: " ", count: TerminalLayout.gap) }

  private func wrapped(_ text: String) -> [String] {
    TerminalText.wrapped(TerminalText.escaped(text), width: usableWidth)
  }

  private enum Weight: String {
    case plain = ""
    case bold = "\u{1B}[1m"
    case dim = "\u{1B}[2m"
  }

  private func append(_ line: String, _ weight: Weight, to buffer: inout [UInt8]) {
    let isMarked = allowsColour && weight != .plain
    if isMarked { buffer.append(contentsOf: weight.rawValue.utf8) }
    buffer.append(contentsOf: line.utf8)
    if isMarked { buffer.append(contentsOf: "\u{1B}[0m".utf8) }
    buffer.append(UInt8(ascii: "\n"))
  }
}
