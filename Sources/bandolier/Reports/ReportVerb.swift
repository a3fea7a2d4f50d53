import ArgumentParser
import Interchange
import Reports
import Tables

/// The verb of a report: makes a table from a log, or from a database created by `bandolier replay`.
struct ReportVerb<Made: Report>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Made.name, abstract: Made.abstract,
      usage: Made.usage.map { "bandolier \($0)" }.joined(separator: "\n"),
      discussion: Made.discussion)
  }

  @OptionGroup var log: ReportLogArgument<Made>
  @OptionGroup(.input) var analysis: AnalysisOptions
  @OptionGroup var replay: ReplayOptions<Made>
  @OptionGroup(.input) var parts: PartialOptions
  @OptionGroup var options: DeclaredOptions<Made>
  @OptionGroup(.output) var columns: ColumnOptions
  @OptionGroup(.output) var output: ReportOutputOptions

  func validate() throws {
    if log.argument != nil, !parts.merge.isEmpty {
      throw ValidationError("--merge makes the report of partials; leave the log out")
    }
    if analysis.analysis != nil, parts.partial != nil || !parts.merge.isEmpty {
      throw ValidationError(
        "--analysis is not available with --partial and --merge; give the options of the report")
    }
    do {
      try options.reading(in: replay.timeZone) { given in
        var given = given
        given.hasPlan = analysis.analysis != nil
        let report = try Made.made(of: analysis.analysis.map { _ in AnalysisPlan([]) })
        let asked = try report ?? given.report(Made.self)
        try replay.check(for: asked)
        if log.argument == nil, parts.merge.isEmpty, try asked.tableWithoutLog(given) == nil {
          throw ValidationError("Missing expected argument '<log>'")
        }
      }
    } catch let error where error is ImportError || error is Failure {
      // A file that cannot be read or is wrong is no mistake of usage: running the verb meets it again.
    }
  }

  func run() throws {
    if parts.partial != nil || !parts.merge.isEmpty { return try runParts() }
    guard let log = log.argument else {
      let table = try options.reading { try $0.report(Made.self).tableWithoutLog($0) }
      return try table.map { try output.write($0, columns) } ?? ()
    }
    let zone = self.replay.timeZone
    let plan = try options.reading(in: zone) { try analysis.plan(zone, naming: $0.namedMetrics()) }
    let replay = self.replay.zoned(plan?.calendar, of: log)
    let request = try options.reading(in: replay.timeZone) { try ReportRequest(Made.self, $0, plan) }
    if plan == nil, let table = try replay.readyTable(of: request.report, in: log) {
      return try output.write(table, columns)
    }
    let refused = request.optionsThatNeedLog.map { "--\($0)" }
    try replay.reading(log, for: request.report, refusing: refused) { source, coverage in
      try write(
        options.reading { _ in try request.result(source) }, source, coverage, of: log.log)
    }
  }

  /// Writes a partial of the report, or makes the report of partials.
  private func runParts() throws {
    let making = PartialReport(
      report: try options.reading(in: replay.timeZone) { try $0.report(Made.self) }, options: parts, replay: replay,
      output: output.output)
    if let path = parts.partial, let log = log.argument { return try making.record(log, to: path) }
    try making.merge { result, source in try write(result, source, nil, of: source.path) }
  }

  private func write(
    _ result: ReportResult, _ source: ReportSource, _ coverage: LogCoverage?, of path: String
  ) throws {
    for (path, text) in result.files { try output.output.write(text, toFile: path) }
    if !source.isExplained, !result.isExplained { note(result.table, source, coverage) }
    try output.write(result.table, columns)
    guard let alarm = result.alarm else { return }
    throw Failure(exitCode: Failure.checkFailed, "\(path): \(alarm)")
  }

  /// Prints a note when the report is empty, or broken down by a dimension without values.
  private func note(_ table: Table, _ source: ReportSource, _ coverage: LogCoverage?) {
    guard !table.rows.isEmpty else {
      guard coverage?.hasDecisions ?? true else {
        return Message.print("note: the report has no rows: \(source.path) has no decision; import the assignments too")
      }
      let covered = coverage.map { "; \($0.text)" } ?? ""
      return Message.print(
        "note: the report has no rows: no selected event counts for it with these options\(covered)")
    }
    guard let dimension = source.dimension,
      let column = table.columns.firstIndex(where: { $0.name == "dimension_value" }),
      table.rows.allSatisfy({ $0[$0.startIndex + column] == .empty })
    else { return }
    Message.print(
      "warning: no row of the report has a value of \(dimension)")
  }
}

extension ReportVerb: WorkedExamples {
  static var examples: [String] { Made.examples }
}

extension Report {
  /// The verb of the report.
  static var verb: any ParsableCommand.Type { ReportVerb<Self>.self }
}

/// The log of a report.
struct ReportLogArgument<Made: Report>: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      Made.needsLog
        ? "The folder of the log; none with --merge."
        : "The folder of the log, or a database of `bandolier replay`.", valueName: "log"),
    completion: Made.needsLog ? .log : .logOrDatabase)
  var log: String?

  /// The log; nil when none is given.
  var argument: LogArgument? {
    log.map { path in
      var argument = LogArgument()
      argument.log = path
      return argument
    }
  }
}
