/// The built-in reports.
public enum StandardReports {
  /// All reports, in the order in which they are listed by the command's verbs, `explain` and the README.
  public static let all: [any Report.Type] = [
    RewardReport.self, ComparisonReport.self, DecisionReport.self, ConversionReport.self,
    QuantileReport.self,
    RegretReport.self, AdaptiveReport.self, HealthReport.self, SeriesReport.self, VisitReport.self,
    FunnelReport.self, RetentionReport.self, PowerReport.self, PredictionReport.self,
    EvaluationReport.self,
  ]

  /// Returns the report of a name; nil if there is none.
  public static func named(_ name: String) -> (any Report.Type)? { all.first { $0.name == name } }
}
