internal import EventLog
package import Reports
package import Tables

extension ReadModel {
  /// The projections of all reports with a read model, in the order in which they are computed.
  var projections: [any KeptProjection] {
    reports.all.compactMap { report in
      (report as? any ReportWithReadModel.Type).map { Self.projection($0) }
    }
  }

  /// The vocabularies whose names the tables and reports show.
  static let vocabularies: [Vocabulary] = [.experiments, .points, .slots, .variants, .goals]

  private static func projection<R: ReportWithReadModel>(_ report: R.Type) -> any KeptProjection {
    R.readModel
  }

  /// Returns the table of a report from a result in the database; nil if it must be computed from the units in the
  /// database.
  ///
  /// - Throws: ``ProjectionError``.
  package func readyTable(of report: any Report) throws -> Table? {
    guard let report = report as? any ReportWithReadModel else { return nil }
    return try readyTable(report)
  }

  private func readyTable(_ report: some ReportWithReadModel) throws -> Table? {
    guard let table = report.readyTable else { return nil }
    let kept = try result(of: type(of: report))
    return try table(kept.result, kept.names)
  }
}
