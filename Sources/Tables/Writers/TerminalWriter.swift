/// Writes a table for a terminal: its cards or what it answers, the title, aligned columns with numbers right-aligned
/// and rounded, and the method in one line, or the notes.
///
/// Unless all are asked for, the columns are those that are main and the keys that differ between rows; a line says how
/// many others there are. Rows are in natural order, `v2` before `v10`.
///
/// No line is wider than the given width. If a row is, the leading keys become headings of groups of rows, then long
/// texts are truncated with `…`, then the columns are split into several tables that repeat the keys, and finally each
/// row becomes a list. Sentences stand below their row. Control characters in texts are shown as `\n` or `\u{1B}`, so
/// that text from a log cannot control the terminal.
public struct TerminalWriter: TableWriter {
  /// The minimum supported width.
  public static let leastWidth = 20

  /// The width of the terminal in columns; smaller values count as ``leastWidth``.
  public var width: Int

  /// How much is shown.
  public var detail: TableDetail

  /// Whether headings may be bold and rules and notes dim.
  public var allowsColour: Bool

  /// Whether rules, `…` and blocks may be used; else they are in ASCII. Texts of the table are not changed.
  public var allowsUnicode: Bool

  /// Creates a writer.
  public init(
    width: Int = 80, detail: TableDetail = .main, allowsColour: Bool = false,
    allowsUnicode: Bool = true
  ) {
    self.width = width
    self.detail = detail
    self.allowsColour = allowsColour
    self.allowsUnicode = allowsUnicode
  }

  public func write<Failure: Error>(
    _ table: Table, to buffer: inout [UInt8],
    afterEachRow: (inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let view = TerminalView(
      table, detail: detail, width: usableWidth, allowsUnicode: allowsUnicode)
    if view.hasCards { append(table.cards, to: &buffer) }
    appendHead(view, to: &buffer)
    if !view.table.rows.isEmpty || view.hiddenRows == 0 {
      try body(view).append(to: &buffer, afterEachRow: afterEachRow)
    }
    appendFoot(view, to: &buffer)
  }

  /// Returns the rows: as they are if they fit; else with the leading keys as headings above them; else with the names
  /// of columns on several lines as well.
  func body(_ view: TerminalView) -> TerminalBody {
    let all = measured(view)
    let groups = view.groups
    let rest = view.keys.filter { !groups.contains($0) } + view.measures
    let fits = { (columns: [Int], indent: Int) in
      TerminalLayout.fits(columns.map { all[$0] }, width: usableWidth - indent)
    }
    if fits(view.keys + view.measures, 0) || groups.isEmpty && fits(rest, 0) {
      return TerminalBody(self, view, groups: [], shown: view.keys + view.measures, measured: all)
    }
    let wrapsNames = !fits(rest, groups.isEmpty ? 0 : TerminalLayout.gap)
    let measured = wrapsNames ? all.map(\.withWrappedHeading) : all
    return TerminalBody(self, view, groups: groups, shown: rest, measured: measured)
  }

  var usableWidth: Int { max(width, Self.leastWidth) }

  /// The mark of truncated text.
  var mark: String { allowsUnicode ? "…" : "..." }

  /// A piece of a rule, one column wide.
  var rule: String { allowsUnicode ? "─" : "-" }

  func measured(_ view: TerminalView) -> [TerminalLayout.Measured] {
    let table = view.table
    var result = table.columns.map {
      TerminalLayout.Measured(
        heading: TerminalText.width($0.name), cells: 0,
        // A drawing would lose its middle.
        canBeCut: $0.type == .text && (!view.isDrawn || $0.kind == .key),
        isKey: $0.kind == .key,
        wrappedHeading: TerminalText.pieces($0.name).map(TerminalText.width).max() ?? 0)
    }
    let shown = view.keys + view.measures
    for row in table.rows {
      for index in shown {
        let text = CellText.text(row[index], as: table.columns[index].display)
        result[index].cells = max(result[index].cells, TerminalText.width(text))
      }
    }
    // Texts wider than the terminal are truncated in any case; this keeps planned widths small.
    for index in result.indices where result[index].canBeCut {
      result[index].cells = min(result[index].cells, usableWidth)
    }
    return result
  }
}

// The lines above and below the rows.
extension TerminalWriter {
  private func appendHead(_ view: TerminalView, to buffer: inout [UInt8]) {
    let table = view.table
    guard !view.hasCards || !table.rows.isEmpty else { return }
    for sentence in view.hasCards ? [] : table.answer {
      for line in wrapped(sentence) { append(line, .plain, to: &buffer) }
    }
    if !view.hasCards, !table.answer.isEmpty { buffer.append(UInt8(ascii: "\n")) }
    for line in wrapped(table.title) where !line.isEmpty { append(line, .bold, to: &buffer) }
    guard !view.said.isEmpty, let row = table.rows.first else { return }
    let said = view.said.filter { row[$0] != .empty }
      .map { "\(table.columns[$0].name): \(CellText.text(row[$0]))" }
    guard !said.isEmpty else { return }
    for line in wrapped(escaped: said.joined(separator: ", ")) { append(line, .dim, to: &buffer) }
  }

  private func appendFoot(_ view: TerminalView, to buffer: inout [UInt8]) {
    let table = view.table
    if table.rows.isEmpty, view.hiddenRows == 0 { append("(no rows)", .dim, to: &buffer) }
    let method = detail == .all ? nil : table.method
    let hiddenNotes = method == nil ? 0 : table.notes.count
    var lines: [String] = []
    if let method {
      let explain = method.report.map { "; `bandolier explain \($0)` has the formulas" } ?? ""
      lines.append("Method: \(method.text)\(explain).")
    }
    if let hidden = Self.hiddenText(view, notes: hiddenNotes) { lines.append(hidden) }
    let notes = method == nil ? table.notes : []
    guard !lines.isEmpty || !notes.isEmpty else { return }
    if !view.hasCards || !table.rows.isEmpty { buffer.append(UInt8(ascii: "\n")) }
    for note in notes {
      appendPair(TerminalText.escaped(note.name), CellText.text(note.value), .dim, to: &buffer)
    }
    for line in lines.flatMap({ wrapped($0) }) { append(line, .dim, to: &buffer) }
  }

  /// Returns what is not shown, and how to see it; nil if all is.
  private static func hiddenText(_ view: TerminalView, notes: Int) -> String? {
    let parts = [(view.hiddenRows, "row"), (view.hidden, "column"), (notes, "note")]
      .filter { $0.0 > 0 }
    let texts = parts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    guard let last = texts.last else { return nil }
    let list = texts.count > 1 ? texts.dropLast().joined(separator: ", ") + " and " + last : last
    let isOne = parts.reduce(0) { $0 + $1.0 } == 1
    return "\(list) \(isOne ? "is" : "are") not shown: --wide shows all"
      + (view.hidden > 0 ? ", --columns NAME,... chooses." : ".")
  }
}

// Lines of text.
extension TerminalWriter {
  enum Weight: String {
    case plain = ""
    case bold = "\u{1B}[1m"
    case dim = "\u{1B}[2m"
  }

  func append(_ line: String, _ weight: Weight, to buffer: inout [UInt8]) {
    let isMarked = allowsColour && weight != .plain && !line.isEmpty
    if isMarked { buffer.append(contentsOf: weight.rawValue.utf8) }
    buffer.append(contentsOf: line.utf8)
    if isMarked { buffer.append(contentsOf: "\u{1B}[0m".utf8) }
    buffer.append(UInt8(ascii: "\n"))
  }

  /// Appends `name: value` of escaped texts, with what does not fit indented below.
  func appendPair(
    _ name: String, _ value: String, _ weight: Weight, indent: Int = 0, to buffer: inout [UInt8]
  ) {
    let lines = TerminalText.wrapped(
      value.isEmpty ? "\(name):" : "\(name): \(value)",
      width: usableWidth - indent - TerminalLayout.gap, mark: mark)
    for (index, line) in lines.enumerated() {
      let margin = indent + (index > 0 ? TerminalLayout.gap : 0)
      append(String(repeating: " ", count: margin) + line, weight, to: &buffer)
    }
  }

  func wrapped(_ text: String) -> [String] { wrapped(escaped: TerminalText.escaped(text)) }

  private func wrapped(escaped text: String) -> [String] {
    TerminalText.wrapped(text, width: usableWidth, mark: mark)
  }
}
