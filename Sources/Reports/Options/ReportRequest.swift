/// A report as someone asks for it: with options, and perhaps an analysis plan, by which each of its experiments is
/// treated.
public struct ReportRequest<Made: Report>: Sendable {
  /// The report of the experiments without a plan.
  public let report: Made
  private let options: GivenOptions
  private let plan: AnalysisPlan?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - options: The options that were given, which take precedence over the plan.
  ///   - plan: The analysis plan; nil for none.
  /// - Throws: ``ReportError`` that names the option that is invalid.
  public init(_ options: GivenOptions, _ plan: AnalysisPlan? = nil) throws {
    let whole = try Made.made(of: plan)
    report = try whole ?? options.report(Made.self)
    self.options = options
    self.plan = whole == nil ? plan : nil
  }

  /// The names of the given options that databases have no data for.
  public var optionsThatNeedLog: [String] {
    Made.options.map(\.info).filter { $0.needsLog && options.has($0.name) }.map(\.name)
  }

  /// Computes the report, experiment by experiment where there is a plan.
  ///
  /// - Throws: ``ReportError``, and errors of reading the log.
  public func result(of source: ReportSource) throws -> ReportResult {
    guard let plan else { return try report.finished(source) }
    let run = AnalysisRun(plan, takesDimensions: Made.takesDimensions) { entry in
      try options.report(Made.self, for: entry)
    }
    var result = try run.result(of: source)
    source.noteLosses(in: &result.table)
    return result
  }
}
