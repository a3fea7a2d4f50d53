public import EventLog
public import Replay
public import Tables

extension RewardReport: ReportWithReadModel {
  /// The read model of rewards, with goals credited to the latest decision and no window.
  public static let readModel = KeptReport(
    of: RewardReport(), version: 3, parameters: Attribution().description,
    projector: RewardProjector(),
    companions: [
      Companion(
        kind: .index, name: "rewards_by_variant", body: "ON rewards (variant, experiment)"),
      Companion(
        kind: .index, name: "rewards_by_mean",
        body: "ON rewards (experiment, point, slot, reward_mean DESC)"),
      Companion(
        kind: .view, name: "rewards_overview",
        body: """
          AS SELECT experiment, point, slot, variant, decisions,
            round(100.0 * decisions / sum(decisions) OVER place, 2) AS decisions_percent,
            units, rewards, round(reward_sum, 4) AS reward_sum, round(reward_mean, 6) AS reward_mean,
            round(ci_low, 6) AS ci_low, round(ci_high, 6) AS ci_high,
            rank() OVER (PARTITION BY experiment, point, slot ORDER BY reward_mean DESC) AS rank
          FROM rewards
          WINDOW place AS (PARTITION BY experiment, point, slot)
          ORDER BY experiment, point, slot, rank, variant
          """),
      Companion(
        kind: .view, name: "rewards_best",
        body: """
          AS SELECT experiment, point, slot, variant, decisions, reward_mean, ci_low, ci_high
          FROM rewards_overview WHERE rank = 1
          """),
    ])

  public var readyTable: (@Sendable (RewardTallies, LogNames) throws -> Table)? {
    guard attribution == Attribution() else { return nil }
    return { try table($0, names: $1, dimension: nil) }
  }
}
