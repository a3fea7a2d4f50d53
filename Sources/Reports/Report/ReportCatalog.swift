internal import Specifications

/// The reports that the command, the service, `report all`, `explain` and databases have.
///
/// ``standard`` has the built-in ones. A program with reports of its own adds them.
public struct ReportCatalog: Sendable {
  /// The reports, in the order in which they are listed by the command's verbs, `explain` and the README.
  public private(set) var all: [any Report.Type]

  /// The built-in reports.
  public static let standard = ReportCatalog(all: [
    RewardReport.self, ComparisonReport.self, DecisionReport.self, ConversionReport.self,
    QuantileReport.self, RegretReport.self, AdaptiveReport.self, HealthReport.self,
    SeriesReport.self, VisitReport.self, FunnelReport.self, RetentionReport.self, NoveltyReport.self,
    PowerReport.self,
    PredictionReport.self, EvaluationReport.self,
  ])

  /// Returns the catalog with a report added, in place of any report of the same name.
  public func adding(_ report: any Report.Type) -> ReportCatalog {
    ReportCatalog(all: all.filter { $0.name != report.name } + [report])
  }

  /// Returns the report of a name.
  ///
  /// - Throws: ``ReportError`` that offers the nearest name.
  public func named(_ name: String) throws(ReportError) -> any Report.Type {
    if let report = all.first(where: { $0.name == name }) { return report }
    throw ReportError(
      .badParameter, NearestName.unknown("report", name, among: all.map { $0.name }))
  }
}
