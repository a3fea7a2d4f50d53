internal import EventLog
internal import Replay
internal import Reports

extension ReadModel {
  /// Everything that a database keeps, in the order in which it is computed.
  static let projections: [any KeptProjection] = [
    rewards, conversions, series, visits, comparison,
  ]

  /// The vocabularies whose names the tables and reports show.
  static let vocabularies: [Vocabulary] = [.experiments, .points, .slots, .variants, .goals]

  /// The report `rewards`, with goals credited to the latest decision and no window.
  static let rewards = Projection(
    name: "rewards", version: 2, parameters: Attribution().description,
    projector: RewardProjector(),
    tables: { [try RewardReport.table($0, names: $1)] },
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
}
