public import Events

/// A report as someone asks for it: with options, and perhaps an analysis plan, by which each of its experiments is
/// treated.
public struct ReportRequest: Sendable {
  /// The report of the experiments without a plan.
  public let report: any Report
  /// The days of the time zone that is given, or else of the plan.
  public let calendar: DayCalendar
  /// The names of the given options that databases have no data for.
  public let optionsThatNeedLog: [String]
  /// Computes the report, experiment by experiment where there is a plan.
  ///
  /// Throws ``ReportError``, and errors of reading the log.
  public let result: @Sendable (ReportSource) throws -> ReportResult

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - type: The type of the report.
  ///   - options: The options that were given, which take precedence over the plan.
  ///   - plan: The analysis plan; nil for none.
  /// - Throws: ``ReportError`` that names the option that is invalid.
  public init<Made: Report>(
    _ type: Made.Type, _ options: GivenOptions, _ plan: AnalysisPlan? = nil
  ) throws {
    var options = options
    options.calendar = options.calendar ?? plan?.calendar
    options.hasPlan = plan != nil
    let given = options
    calendar = given.calendar ?? .utc
    let whole = try Made.made(of: plan)
    let report = try whole ?? options.report(type)
    self.report = report
    optionsThatNeedLog = Made.optionInfos.filter { $0.needsLog && options.has($0.name) }.map(\.name)
    result = { source in
      guard let plan, whole == nil else { return try report.finished(source) }
      let run = AnalysisRun(plan, takesDimensions: Made.takesDimensions) { entry in
        try given.report(type, for: entry)
      }
      var result = try run.result(of: source)
      source.note(in: &result.table)
      return result
    }
  }
}
