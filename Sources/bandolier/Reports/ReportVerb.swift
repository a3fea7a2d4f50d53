import ArgumentParser
import Interchange
import Reports
import Specifications
import Tables

/// The verb of a report: makes a table from a log, or from a database created by `bandolier replay`.
struct ReportVerb<Options: ReportOptions>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Options.Made.name, abstract: Options.Made.abstract, usage: Options.usage,
      discussion: Options.discussion)
  }

  @OptionGroup var log: Options.Log
  @OptionGroup var options: Options
  @OptionGroup var analysis: AnalysisOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var parts: PartialOptions
  @OptionGroup var columns: ColumnOptions
  @OptionGroup var output: ReportOutputOptions

  func validate() throws {
    if Options.Log.self != OptionalLogArgument.self, log.argument == nil, parts.merge.isEmpty {
      throw ValidationError("Missing expected argument '<log>'")
    }
    if log.argument != nil, !parts.merge.isEmpty {
      throw ValidationError("--merge makes the report of partials; leave the log out")
    }
    if analysis.analysis != nil, parts.partial != nil || !parts.merge.isEmpty {
      throw ValidationError(
        "--analysis is not available with --partial and --merge; give the options of the report")
    }
    try options.validate(with: self)
    do {
      _ = try mapping { try options.report() }
    } catch is ImportError {
      // A file that cannot be read is no mistake of usage: running the verb meets it again.
    }
  }

  /// Calls the closure; errors in parameters of the report name the option.
  private func mapping<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ReportError where error.code == .badParameter {
      throw ValidationError("--\(error)")
    } catch let error as SpecificationError {
      throw ValidationError("\(error)")
    }
  }

  func run() throws {
    if parts.partial != nil || !parts.merge.isEmpty { return try runParts() }
    guard let log = log.argument else {
      return try output.write(mapping { try options.tableWithoutLog() }, columns)
    }
    let plan = try analysis.plan()
    let whole = try options.report(of: plan)
    let report = try whole ?? options.report()
    if plan == nil, let table = try replay.readyTable(of: report, in: log) {
      return try output.write(table, columns)
    }
    try replay.reading(log, for: report, refusing: options.refused) { source, coverage in
      let result = try whole == nil ? result(report, plan, source) : report.finished(source)
      for (path, text) in result.files { try output.output.write(text, toFile: path) }
      if !source.isExplained, !result.isExplained { note(result.table, source, coverage) }
      try output.write(result.table, columns)
      guard let alarm = result.alarm else { return }
      throw Failure(exitCode: Failure.checkFailed, "\(log.log): \(alarm)")
    }
  }

  /// Writes a partial of the report, or makes the report of partials.
  private func runParts() throws {
    let making = ReportParts(
      report: try mapping { try options.report() }, options: parts, replay: replay,
      output: output.output)
    if let path = parts.partial, let log = log.argument { return try making.record(log, to: path) }
    try making.merge { result, source in
      for (path, text) in result.files { try output.output.write(text, toFile: path) }
      if !source.isExplained, !result.isExplained { note(result.table, source, nil) }
      try output.write(result.table, columns)
      guard let alarm = result.alarm else { return }
      throw Failure(exitCode: Failure.checkFailed, "\(source.path): \(alarm)")
    }
  }

  /// Computes a report, experiment by experiment where there is a plan.
  private func result(
    _ report: Options.Made, _ plan: AnalysisPlan?, _ source: ReportSource
  ) throws -> ReportResult {
    guard let plan else { return try report.finished(source) }
    let run = AnalysisRun(plan, takesDimensions: Options.takesDimensions) { entry in
      try mapping { try entry.map { try options.report(for: $0) } ?? report }
    }
    var result = try run.result(of: source)
    if let log = source.log { result.table.note(lossesOf: log) }
    return result
  }

  /// Prints a note when the report is empty, or broken down by a dimension without values.
  private func note(_ table: Table, _ source: ReportSource, _ coverage: LogCoverage?) {
    guard !table.rows.isEmpty else {
      let covered = coverage.map { "; \($0.text)" } ?? ""
      return Message.print(
        "note: the report has no rows: no selected event counts for it\(covered)")
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
  static var examples: [String] { Options.examples }
}

/// The log argument of a report.
protocol ReportLogArgument: ParsableArguments {
  /// The log; nil when none is given.
  var argument: LogArgument? { get }
}
