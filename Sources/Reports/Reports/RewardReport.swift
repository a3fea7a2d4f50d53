public import EventLog
public import Replay
internal import Statistics
public import Tables

/// The report `rewards`: the rewards of each variant, by experiment, point and slot.
public struct RewardReport: UnitReport, RewardedReport {
  public static let name = "rewards"
  public static let abstract =
    "What each variant earned, by experiment, point and slot."

  public static let discussion = """
    A goal is credited, for each point and slot of its experiment, to the latest confirmed decision of \
    the same unit at or before it, by event time. A goal without a value counts 1; --metric counts \
    other things, such as the revenue of conversions. What did not count is \
    listed under the table, and under `notes` in JSON.
    """

  public static let examples = [
    "bandolier report rewards datasets/storefront.log",
    #"""
    bandolier report rewards datasets/storefront.log \
      --experiment homepage --by context.device
    """#,
    #"""
    bandolier report rewards datasets/storefront.log \
      --metric revenue --window 30d
    """#,
  ]

  /// The attribution of goals.
  public var attribution = Attribution()
  /// The observations that means and variances are over.
  public var per = Per.decision
  /// The confidence level of intervals, between 0 and 1.
  public var level = 0.95

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.choice("per", \.per, "what", "Observations that mean, variance and interval are over.")
    Option.rewardMetric(\.attribution)
    Option.rule(\.attribution.rule)
    Option.level(\.level)
    Option.attribution(\.attribution)
  }

  public static let takesDimensions = true

  public mutating func validate() throws(ReportError) {
    try ReportError.check(level: level)
    try ReportError.check(attribution)
  }

  public var rewards: Attribution {
    get { attribution }
    set { attribution = newValue }
  }

  public func projector(_ lookup: NameLookup) throws -> RewardProjector {
    RewardProjector(try lookup.resolving(attribution))
  }

  /// The observations that mean, variance and interval are over.
  public enum Per: String, CaseIterable, Sendable {
    /// The reward of a decision: the sum of the goals credited to it.
    case decision
    /// The reward of a unit: the sum over its decisions for the variant.
    case unit
  }

  struct Row {
    let arm: ArmNames
    let tally: RewardTally
    let moments: Moments
    let interval: Interval?
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var columns: ReportColumns<Row> {
    Columns.arm(\.arm)
    Columns.explained(
      """
      confirmed decisions; a provisional one counts from its decisionConfirmed on; repeated and excluded ones never \
      count
      """, .measure("decisions", "confirmed decisions", \.tally.decisions).main)
    Columns.explained(
      "distinct units among these decisions",
      .measure("units", "distinct units among the confirmed decisions", \.tally.units).main)
    Columns.explained(
      """
      goals credited and their values (1 where none is given), to the latest counted decision of the same unit, \
      experiment, point and slot at or before the goal (--attribution: first, all, linear), within --window; at equal \
      times decisions come first; a goal that names a point or slot is credited only there; --limit N: the first N \
      goals of a unit in the experiment that would be credited (--once: the first one); --metric: conversions, their \
      revenue, or 1 for each goal or each decision with any, in place of values
      """, .measure("rewards", "goals credited", \.tally.rewards).main,
      .measure("reward_sum", "their values, added up", \.tally.total.value))
    Columns.explained(
      """
      over decisions (--per unit: over units): sum / n and sum((x - mean)^2) / (n - 1), where x is the sum of the \
      values credited, 0 if none; exact sums, rounded once
      """, source: "R. M. Neal, Fast exact summation using small and large superaccumulators, 2015",
      .measure("reward_mean", "mean reward of a decision, or of a unit", \.moments.mean)
        .estimate.main,
      .measure("reward_variance", "its sample variance (n - 1)", \.moments.variance).estimate)
    Columns.explained(
      "mean -/+ t(1 - alpha/2, n - 1) * sqrt(variance / n); empty for n below 2 and where no value differs",
      source: "Student, The probable error of a mean, 1908",
      .interval("ci", "the interval of the mean (Student t)", \.interval).estimate.main)
  }

  /// Returns one row for each arm with a counted decision, sorted by the bytes of their names.
  public func table(
    _ tallies: RewardTallies, names: LogNames, dimension: Dimension?
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "rewards", title: "Rewards by variant",
      columns: Self.columns + .breakdown(dimension, \.arm.value),
      rows: tallies.segments.lazy.map { segment, tally in
        let moments = per == .decision ? tally.perDecision : tally.perUnit
        return Row(
          arm: ArmNames(segment, names), tally: tally, moments: moments,
          interval: moments.meanInterval(level: level))
      })
    table.note("attribution", attribution.description)
    table.note(metric: attribution.metric, tallies.ledger.goals, names)
    table.note("per", per.rawValue)
    table.note("interval", "Student t, \(Percent.text(level))")
    table.note(tallies.ledger.noted)
    return summarized(table.sorted())
  }
}

extension RewardReport {
  public static let explanation = Explanation(
    question: "what did each variant earn?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed, goals (time, unit, \
      experiment, point, slot, goal, value, status)
      """, of: columns, rules: Explanation.metrics(of: .decision))
}
