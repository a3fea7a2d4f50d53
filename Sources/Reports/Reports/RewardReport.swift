public import EventLog
public import Replay
internal import Statistics
public import Tables

/// The report `rewards`: what each variant earned, at each point and for each slot of each experiment.
public enum RewardReport {
  /// What mean, variance and interval are over.
  public enum Per: String, CaseIterable, Sendable {
    /// The reward of a decision: the sum of the goals credited to it.
    case decision
    /// The reward of a unit: the sum over its decisions for the variant.
    case unit
  }

  /// The columns, in their order.
  static let columns: [TableColumn] = [
    .key("experiment", .text, "what is decided"),
    .key("point", .text, "where in the app"),
    .key("slot", .text, "which of several decisions at the point"),
    .key("variant", .text, "what was chosen"),
    .measure("decisions", .integer, "confirmed decisions"),
    .measure("units", .integer, "distinct units among the confirmed decisions"),
    .measure("rewards", .integer, "goals credited"),
    .measure("reward_sum", .decimal, "their values, added up"),
    .measure("reward_mean", .decimal, "mean reward of a decision, or of a unit"),
    .measure("reward_variance", .decimal, "its sample variance (n - 1)"),
    .measure("ci_low", .decimal, "lower end of the interval of the mean (Student t)"),
    .measure("ci_high", .decimal, "upper end of the interval of the mean (Student t)"),
  ]

  /// The report of some tallies.
  ///
  /// - Parameters:
  ///   - tallies: Rewards by segment.
  ///   - names: The names of the log that the tallies come from; experiments, points, slots and variants are
  ///     used.
  ///   - attribution: How they were credited.
  ///   - dimension: What they are broken down by.
  ///   - per: What mean, variance and interval are over.
  ///   - level: The coverage of the intervals, between 0 and 1.
  /// - Returns: One row for each arm with a counted decision, sorted by the bytes of their names.
  /// - Throws: `TableError` never, as long as the columns are what they are.
  public static func table(
    _ tallies: RewardTallies, names: LogNames, attribution: Attribution = Attribution(),
    dimension: Dimension? = nil, per: Per = .decision, level: Double = 0.95
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "rewards", title: "Rewards by variant",
      columns: columns + TableColumn.breakdown(dimension))
    table.reserve(rows: tallies.segments.count)
    for (segment, tally) in tallies.segments {
      try table.append(
        row: row(segment.arm, tally, names, per, level)
          + TableCell.breakdown(dimension, segment.value))
    }
    table.note("attribution", .text(attribution.description))
    table.note("per", .text(per.rawValue))
    table.note("interval", .text("Student t, \(Percent.text(level))"))
    for (rule, value) in ledgerNotes(tallies.ledger) { table.note(rule, value) }
    return table.sorted()
  }

  private static func row(
    _ arm: Arm, _ tally: RewardTally, _ names: LogNames, _ per: Per, _ level: Double
  ) -> [TableCell] {
    let moments = per == .decision ? tally.perDecision : tally.perUnit
    let interval = moments.meanInterval(level: level)
    return [
      .text(names.string(arm.experiment, in: .experiments) ?? ""),
      .text(names.string(arm.point, in: .points) ?? "point-1"),
      .text(names.string(arm.slot, in: .slots) ?? "decision-1"),
      .text(names.string(arm.variant, in: .variants) ?? ""),
      .integer(tally.decisions), .integer(tally.units), .integer(tally.rewards),
      .decimal(tally.total.value), TableCell(moments.mean), TableCell(moments.variance),
      TableCell(interval?.low), TableCell(interval?.high),
    ]
  }

  /// What was read, and what of it did not count, rule by rule.
  static func ledgerNotes(_ ledger: RewardLedger) -> [(String, TableCell)] {
    [
      ("decisions_confirmed", .integer(ledger.confirmedDecisions)),
      ("decisions_unconfirmed", .integer(ledger.unconfirmedDecisions)),
      ("decisions_repeated", .integer(ledger.repeatedDecisions)),
      ("decisions_excluded", .integer(ledger.excludedDecisions)),
      ("decisions_of_unknown_status", .integer(ledger.unknownDecisions)),
      ("decisions_left_out", .integer(ledger.leftOutDecisions)),
      ("decisions_after_end", .integer(ledger.decisionsAfterEnd)),
      ("decisions_in_progress", .integer(ledger.decisionsInProgress)),
      ("goals_credited", .integer(ledger.creditedGoals)),
      ("goals_without_decision", .integer(ledger.orphanGoals)),
      ("goals_not_credited", .integer(ledger.uncreditedGoals)),
      ("goals_refused", .integer(ledger.refusedGoals)),
    ]
  }
}
