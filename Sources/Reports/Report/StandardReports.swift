/// The reports of this package, in the order in which they are listed.
public enum StandardReports {
  /// All of them. What lists reports follows from this list: the command's verbs, `explain`, and the README.
  public static let all: [any Report.Type] = [
    RewardReport.self, ComparisonReport.self, ConversionReport.self, QuantileReport.self,
    RegretReport.self, AdaptiveReport.self, HealthReport.self, SeriesReport.self, VisitReport.self,
    FunnelReport.self, RetentionReport.self, PowerReport.self, PredictionReport.self,
  ]

  /// The report of a name; nil when there is none.
  public static func named(_ name: String) -> (any Report.Type)? { all.first { $0.name == name } }
}
