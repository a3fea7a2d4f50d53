/// The formats in which a table can be written, by the names of the command line.
public enum TableFormat: String, CaseIterable, Sendable {
  /// Aligned columns for people; the only format that rounds.
  case table
  /// RFC 4180.
  case csv
  /// One object.
  case json
  /// One object for each row.
  case jsonl
  /// A GitHub table.
  case markdown

  /// What is written when nobody asks for a format: a table on a terminal, CSV anywhere else.
  public static func usual(onTerminal: Bool) -> TableFormat { onTerminal ? .table : .csv }

  /// The usual end of a file name, without the dot.
  public var fileExtension: String {
    switch self {
    case .table: "txt"
    case .csv: "csv"
    case .json: "json"
    case .jsonl: "jsonl"
    case .markdown: "md"
    }
  }

  /// The writer of the format.
  public func writer(_ options: TableOptions) -> any TableWriter {
    switch self {
    case .table:
      TerminalWriter(width: options.terminalWidth, allowsColour: options.allowsColour)
    case .csv: CSVWriter(spreadsheetSafe: options.spreadsheetSafe)
    case .json: JSONWriter()
    case .jsonl: JSONLinesWriter()
    case .markdown: MarkdownWriter()
    }
  }
}

/// What a user may choose about how a table is written.
public struct TableOptions: Equatable, Sendable {
  /// Whether texts in CSV that a spreadsheet would take for a formula get a `'` in front.
  public var spreadsheetSafe: Bool

  /// The columns of the terminal, for ``TableFormat/table``.
  public var terminalWidth: Int

  /// Whether ``TableFormat/table`` may be bold and dim in places.
  public var allowsColour: Bool

  /// Makes options.
  public init(
    spreadsheetSafe: Bool = false, terminalWidth: Int = 80, allowsColour: Bool = false
  ) {
    self.spreadsheetSafe = spreadsheetSafe
    self.terminalWidth = terminalWidth
    self.allowsColour = allowsColour
  }
}

/// The bytes of a table in a format.
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
