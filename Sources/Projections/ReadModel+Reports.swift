internal import EventLog
internal import Events
package import Reports
package import Tables

extension ReadModel {
  /// Returns the projections of all reports with a read model, in the order in which they are computed.
  func projections(in calendar: DayCalendar = .utc) -> [any KeptProjection] {
    reports.all.compactMap { report in
      (report as? any ReportWithReadModel.Type).map { Self.projection($0, calendar) }
    }
  }

  /// The vocabularies whose names the tables and reports show.
  static let vocabularies: [Vocabulary] = [.experiments, .points, .slots, .variants, .goals]

  private static func projection<R: ReportWithReadModel>(
    _ report: R.Type, _ calendar: DayCalendar
  ) -> any KeptProjection {
    R.readModel(in: calendar)
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
