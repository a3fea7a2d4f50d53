public import EventLog
public import Replay
public import Tables

extension ConversionReport: ReportWithReadModel {
  /// The read model of conversions within 7 days of the first exposure.
  public static let readModel = KeptReport(
    of: ConversionReport(), version: 4,
    parameters: ConversionProjector.standardAttribution.text(ofAssigned: .conversions),
    projector: ConversionProjector(),
    companions: [
      Companion(
        kind: .index, name: "conversions_by_goal", body: "ON conversions (goal, experiment)"),
      Companion(
        kind: .index, name: "conversions_by_rate",
        body: "ON conversions (experiment, goal, conversion_rate DESC)"),
      Companion(
        kind: .view, name: "conversions_overview",
        body: """
          AS SELECT experiment, goal, variant, units, converters, conversions,
            round(revenue_sum, 4) AS revenue_sum, round(100.0 * conversion_rate, 4) AS conversion_percent,
            round(100.0 * ci_low, 4) AS percent_low, round(100.0 * ci_high, 4) AS percent_high,
            rank() OVER (PARTITION BY experiment, goal ORDER BY conversion_rate DESC) AS rank
          FROM conversions
          ORDER BY experiment, goal, rank, variant
          """),
    ])

  public var readyTable: (@Sendable (ConversionTallies, LogNames) throws -> Table)? {
    guard source == .conversions, metric == nil, capping == nil,
      attribution == ConversionProjector.standardAttribution
    else { return nil }
    return { try table($0, names: $1, dimension: nil) }
  }
}
