internal import EventLog
internal import Events
internal import Replay
internal import Reports
internal import Specifications

extension ReportRequest {
  /// Creates the request of a query: for the report of a name, with the options that it declares, and an analysis plan
  /// and named metrics as texts.
  ///
  /// - Throws: ``ServiceProblem`` if there is none; `ReportError` and `SpecificationError` if an option is invalid.
  init(named name: String, of catalog: ReportCatalog, _ query: OptionQuery) throws {
    let type: any Report.Type
    do {
      type = try catalog.named(name)
    } catch {
      throw ServiceProblem(404, "unknown-report", error.description)
    }
    self = try Self.made(type, query)
  }

  private static func made<R: Report>(_ type: R.Type, _ query: OptionQuery) throws -> Self {
    let (options, metricFile) = (R.options.map(\.info), GivenOptions.metricFile)
    let metrics = try query.text(metricFile)
    var given = GivenOptions(metrics.map { _ in [(metricFile, metricFile)] } ?? [], files: files(metrics))
    given.calendar = try query.value("time-zone", OptionValue.timeZone)
    let calendar = given.calendar
    let named = try given.namedMetrics()
    let plan = try query.text("analysis").map {
      try AnalysisPlan(yaml: $0, path: "analysis", metrics: named, calendar: calendar)
    }
    guard metrics == nil || plan != nil || options.contains(where: { $0.name == metricFile }) else {
      throw OptionQuery.problem(metricFile, "is not available for \(R.name), which takes no metric")
    }
    for info in options where info.name != metricFile {
      let values = try query.values(of: info)
      guard values.isEmpty || !info.isOfCommand else {
        throw OptionQuery.problem(
          info.name, "is of the command only: the service reads and writes no files")
      }
      given.values += values.map { (info.name, $0) }
    }
    return try Self(type, given, plan)
  }

  /// Returns the only file that options can name: that of the metrics, whose text is in the query.
  private static func files(_ metrics: String?) -> OptionFiles {
    OptionFiles { path throws(SpecificationError) in
      if path == GivenOptions.metricFile, let metrics { return metrics }
      throw SpecificationError(
        "\(path.debugDescription) is a file; the service reads none: use the command for this policy"
      )
    }
  }
}
