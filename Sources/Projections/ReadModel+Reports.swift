internal import EventLog
package import Reports
package import Tables

extension ReadModel {
  /// Everything that a database keeps, in the order in which it is computed.
  static let projections: [any KeptProjection] = StandardReports.all.compactMap { report in
    (report as? any ReportWithReadModel.Type).map { projection($0) }
  }

  /// The vocabularies whose names the tables and reports show.
  static let vocabularies: [Vocabulary] = [.experiments, .points, .slots, .variants, .goals]

  private static func projection<R: ReportWithReadModel>(_ report: R.Type) -> any KeptProjection {
    R.readModel
  }

  /// The table of a report whose result the database has; nil when it is to be made of the units that the database holds.
  ///
  /// - Throws: ``ProjectionError``.
  package func readyTable(of report: any Report) throws -> Table? {
    guard let report = report as? any ReportWithReadModel else { return nil }
    return try readyTable(report)
  }

  private func readyTable(_ report: some ReportWithReadModel) throws -> Table? {
    guard let table = report.readyTable else { return nil }
    let kept = try result(type(of: report).readModel)
    return try table(kept.result, kept.names)
  }
}
