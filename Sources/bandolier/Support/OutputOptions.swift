public import ArgumentParser
import Platform
public import Tables

extension TableFormat: ExpressibleByArgument {}

/// The options of the output destination.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to a file, atomically, instead of standard output.", valueName: "file"),
    completion: .anyFile)
  var output: String = "-"

  @Flag(name: .long, help: "Replace the file if it exists.")
  var force = false

  /// Whether the output is a file.
  var isFile: Bool { output != "-" }

  /// Calls the closure with the output; a file appears only when the closure returns.
  func withSink(_ body: (any ByteSink) throws -> Void) throws {
    guard isFile else {
      try body(StandardOutput())
      return
    }
    let file = try AtomicFile(path: output, force: force)
    do {
      try body(file)
    } catch {
      file.abandon()
      throw error
    }
    try file.commit()
  }

  /// Writes a text to a separate file, in addition to ``output``.
  func write(_ text: String, toFile path: String) throws {
    let file = try AtomicFile(path: path, force: force)
    do {
      try file.append(Array(text.utf8))
      try file.commit()
    } catch {
      file.abandon()
      throw error
    }
    Message.print("wrote \(path)")
  }
}

/// The options of a report's format.
struct ReportOutputOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Format of the table (default: table on a terminal, otherwise csv).", valueName: "format"))
  var format: TableFormat?

  @Flag(name: .long, help: "Prefix CSV texts that a spreadsheet would read as formulas with '.")
  var spreadsheetSafe = false

  @OptionGroup var output: OutputOptions

  private var isTerminal: Bool { !output.isFile && Terminal.isTerminal(STDOUT_FILENO) }

  /// Writes a page of text in place of a table for people, and the table in any other format.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - page: Returns the page for a width in columns.
  /// - Throws: Errors of the output.
  func write(_ table: Table, asPage page: (Int) -> String) throws {
    guard format ?? .usual(onTerminal: isTerminal) == .table else { return try write(table) }
    let text = page(Terminal.width(STDOUT_FILENO) ?? 80)
    try output.withSink { try $0.append(Array(text.utf8)) }
    if output.isFile { Message.print("wrote \(output.output)") }
  }

  /// Writes a table, and says so if it is written to a file.
  func write(_ table: Table, _ columns: ColumnOptions? = nil) throws {
    let isTerminal = isTerminal
    let options = TerminalEnvironment.options(
      isTerminal: isTerminal, detail: columns?.detail ?? .main, spreadsheetSafe: spreadsheetSafe)
    let format = format ?? .usual(onTerminal: isTerminal)
    let table = try columns?.chosen(from: table, for: format) ?? table
    try output.withSink { sink in
      try sink.append(Tables.write(table, as: format, options: options))
    }
    guard output.isFile else { return }
    let rows = table.rows.count
    Message.print(
      "wrote \(output.output): \(rows) \(rows == 1 ? "row" : "rows"), \(format.rawValue)")
  }
}
