internal import EventLog
internal import Events
internal import Replay
internal import Reports
internal import Specifications

extension ReportRequest {
  /// Creates the request of a query: for the report of a name, with the options that it declares, and an analysis plan
  /// as text.
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
    var given = GivenOptions(files: files)
    given.calendar = try query.value("time-zone", OptionValue.timeZone)
    let calendar = given.calendar
    let plan = try query.text("analysis").map {
      try AnalysisPlan(yaml: $0, path: "analysis", calendar: calendar)
    }
    for info in R.options.map(\.info) {
      let values = try query.values(of: info)
      guard values.isEmpty || !info.isOfCommand else {
        throw OptionQuery.problem(
          info.name, "is of the command only: the service reads and writes no files")
      }
      given.values += values.map { (info.name, $0) }
    }
    return try Self(type, given, plan)
  }

  private static let files = OptionFiles { path throws(SpecificationError) in
    throw SpecificationError(
      "\(path.debugDescription) is a file; the service reads none: use the command for this policy"
    )
  }
}
