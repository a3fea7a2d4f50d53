public import ArgumentParser
import Glibc
public import Tables

extension TableFormat: ExpressibleByArgument {}
extension ProgressMode: ExpressibleByArgument {}

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

  /// Calls the closure with the output; a file appears only when the closure returns.
  func withSink(_ body: (any ByteSink) throws -> Void) throws {
    guard output != "-" else {
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

  func write(_ table: Table) throws {
    let isTerminal = output.output == "-" && Terminal.isTerminal(STDOUT_FILENO)
    let options = TableOptions(
      spreadsheetSafe: spreadsheetSafe, terminalWidth: Terminal.width(STDOUT_FILENO) ?? 80,
      allowsColour: isTerminal && Self.environmentAllowsColour)
    let format = format ?? .usual(onTerminal: isTerminal)
    try output.withSink { sink in
      try sink.append(Tables.write(table, as: format, options: options))
    }
  }

  /// Whether the environment allows color: no NO_COLOR (no-color.org), and a terminal that supports it.
  private static var environmentAllowsColour: Bool {
    environment("NO_COLOR").map(\.isEmpty) ?? true && environment("TERM") != "dumb"
  }

  private static func environment(_ name: String) -> String? {
    // Safety: nothing in this process changes the environment; the text is copied at once.
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

/// The option for showing progress.
struct ProgressOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "When to show progress on standard error; auto is on a terminal only.", valueName: "when"))
  var progress: ProgressMode = .auto
}
