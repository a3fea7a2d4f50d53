internal import EventLog
public import Replay
internal import Tables

extension ComparisonReport: ReportWithReadModel {
  /// The read model of the mean reward of units, by Welch's test.
  public static let readModel = KeptReport(
    name: "compare", version: 5, parameters: "reward, " + ComparisonPlan().method.rawValue,
    projector: MetricProjector(.reward),
    tables: { [try comparisonTable($0, $1, $2)] },
    companions: [
      Companion(
        kind: .index, name: "compare_by_verdict", body: "ON compare (verdict, experiment, metric)"),
      Companion(
        kind: .view, name: "compare_overview",
        body: """
          AS SELECT experiment, point, slot, metric, variant, baseline, units, baseline_units,
            round(mean, 6) AS mean, round(baseline_mean, 6) AS baseline_mean,
            round(difference, 6) AS difference, round(ci_low, 6) AS ci_low, round(ci_high, 6) AS ci_high,
            round(p_value, 6) AS p_value, round(100.0 * lift, 2) AS lift_percent,
            round(100.0 * lift_ci_low, 2) AS lift_percent_low,
            round(100.0 * lift_ci_high, 2) AS lift_percent_high,
            round(100.0 * chance_to_win, 2) AS chance_to_win_percent, verdict
          FROM compare
          ORDER BY experiment, point, slot, metric, variant
          """),
    ])

  private static func comparisonTable(
    _ tallies: MetricTallies, _ names: LogNames, _ propensities: PropensityTallies
  ) throws -> Table {
    let projector = readModel.projector
    var tallies = tallies
    tallies.expected.noteUnstored(of: tallies.exposures.keys, propensities)
    var table = try table(
      tallies, metrics: projector.metrics, names: names, plan: ComparisonPlan())
    for note in projector.notes { table.note(note.name, .text(note.text)) }
    return table
  }
}
