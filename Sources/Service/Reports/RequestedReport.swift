internal import EventLog
internal import Events
internal import Replay
internal import Reports
internal import Specifications

/// A report as a query asks for it: with the options that the report declares, and an analysis plan as text.
struct RequestedReport: Sendable {
  let report: any Report
  /// Computes it.
  let result: @Sendable (ReportSource) throws -> ReportResult

  /// Creates the report of a name.
  ///
  /// - Throws: ``ServiceProblem`` if there is none; `ReportError` and `SpecificationError` if an option is invalid.
  init(named name: String, of catalog: ReportCatalog, _ query: ReportQuery) throws {
    let type: any Report.Type
    do {
      type = try catalog.named(name)
    } catch {
      throw ServiceProblem(404, "unknown-report", error.description)
    }
    self = try Self.made(type, query)
  }

  private init(_ request: ReportRequest<some Report>) {
    report = request.report
    result = { try request.result(of: $0) }
  }

  private static func made<R: Report>(_ type: R.Type, _ query: ReportQuery) throws -> Self {
    let plan = try query.text("analysis").map { try AnalysisPlan(yaml: $0, path: "analysis") }
    var given = GivenOptions(files: files)
    for info in R.options.map(\.info) {
      let values = try query.values(of: info)
      guard values.isEmpty || !info.isOfCommand else {
        throw ReportQuery.problem(
          info.name, "is of the command only: the service reads and writes no files")
      }
      given.values += values.map { (info.name, $0) }
    }
    return Self(try ReportRequest<R>(given, plan))
  }

  private static let files = OptionFiles { path throws(SpecificationError) in
    throw SpecificationError(
      "\(path.debugDescription) is a file; the service reads none: use the command for this policy"
    )
  }
}
