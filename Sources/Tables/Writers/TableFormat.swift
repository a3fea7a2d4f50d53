/// The output formats of a table, by their names on the command line.
public enum TableFormat: String, CaseIterable, Sendable {
  /// Aligned columns for people; the only format that rounds.
  case table
  /// CSV as in RFC 4180.
  case csv
  /// One JSON object.
  case json
  /// JSON Lines: one object per row.
  case jsonl
  /// A GitHub Markdown table.
  case markdown

  /// Returns the default format: a table on a terminal, CSV elsewhere.
  public static func usual(onTerminal: Bool) -> TableFormat { onTerminal ? .table : .csv }

  /// The usual file extension, without the dot.
  public var fileExtension: String {
    switch self {
    case .table: "txt"
    case .csv: "csv"
    case .json: "json"
    case .jsonl: "jsonl"
    case .markdown: "md"
    }
  }

  /// Returns the writer of the format.
  public func writer(_ options: TableOptions) -> any TableWriter {
    switch self {
    case .table:
      TerminalWriter(
        width: options.terminalWidth, detail: options.detail, allowsColour: options.allowsColour,
        allowsUnicode: options.allowsUnicode)
    case .csv: CSVWriter(spreadsheetSafe: options.spreadsheetSafe)
    case .json: JSONWriter()
    case .jsonl: JSONLinesWriter()
    case .markdown: MarkdownWriter()
    }
  }
}

/// Options of table writers.
public struct TableOptions: Equatable, Sendable {
  /// Whether CSV texts that a spreadsheet would take for a formula are prefixed with `'`.
  public var spreadsheetSafe: Bool

  /// The width of the terminal in columns, for ``TableFormat/table``.
  public var terminalWidth: Int

  /// Whether ``TableFormat/table`` may use bold and dim text.
  public var allowsColour: Bool

  /// Whether ``TableFormat/table`` may use rules and blocks beyond ASCII.
  public var allowsUnicode: Bool

  /// How much ``TableFormat/table`` shows.
  public var detail: TableDetail

  /// Creates options.
  public init(
    spreadsheetSafe: Bool = false, terminalWidth: Int = 80, detail: TableDetail = .main,
    allowsColour: Bool = false, allowsUnicode: Bool = true
  ) {
    self.spreadsheetSafe = spreadsheetSafe
    self.terminalWidth = terminalWidth
    self.detail = detail
    self.allowsColour = allowsColour
    self.allowsUnicode = allowsUnicode
  }
}

/// How much of a table a terminal shows.
public enum TableDetail: String, CaseIterable, Sendable {
  /// The main columns, the keys that differ, and the method in one line.
  case main
  /// All columns, which someone has chosen, and the method in one line.
  case chosen
  /// All columns and notes.
  case all
}

/// Returns the bytes of a table in a format.
public func write(
  _ table: Table, as format: TableFormat, options: TableOptions = TableOptions()
) -> [UInt8] {
  var bytes: [UInt8] = []
  format.writer(options).write(table, to: &bytes)
  return bytes
}

/// Writes a table in a format to a sink, in pieces, so that large reports take little memory.
///
/// - Throws: ``OutputError`` from the sink.
public func write(
  _ table: Table, as format: TableFormat, options: TableOptions = TableOptions(),
  to sink: some ByteSink
) throws(OutputError) {
  try format.writer(options).write(table, to: sink)
}
