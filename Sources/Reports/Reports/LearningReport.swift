internal import Bandits
internal import EventLog
internal import Events
public import OffPolicy
public import Replay
internal import Specifications
internal import Statistics
internal import Tables

/// The report `learn`: a policy learned from the log, with the value of each candidate and that of the chosen one on
/// the decisions that were held back.
public struct LearningReport: RewardedReport {
  public static let name = "learn"
  public static let abstract = "Learn a policy from a log, and judge it on held-out decisions."

  /// The candidates, and how they are judged.
  public var plan = LearningPlan(
    [], estimator: DoublyRobust(), interval: NormalInterval(), rewardModel: TabularRewards())
  /// The settings whose combinations are the candidates, where the plan has none.
  var grid = LearningGrid()
  /// The confidence level of intervals.
  public var level = 0.95
  /// The path of the file of the policy; nil for none.
  public var path: String?

  /// Creates the report without a class of policies.
  public init() {}

  public mutating func validate() throws(ReportError) {
    try ReportError.check(level: level)
    try checkRewards()
    try ReportError.require(
      !plan.candidates.isEmpty || !grid.classes.isEmpty, "policy-class",
      "is missing; name a policy class, such as tree")
    do throws(SpecificationError) {
      if !grid.classes.isEmpty { plan.candidates = try grid.candidates(plan.askedFeatures) }
      try plan.check()
    } catch {
      throw ReportError(.badParameter, "\(error)")
    }
  }

  public var refusedSelections: [(option: SelectionOption, reason: String)] {
    [(.by, "is not available for learn; a policy learns from attributes with --features")]
  }

  /// Policies maximize what decisions earn.
  public static let directions: Set<Metric.Direction> = [.higher]

  public var rewards: Attribution {
    get { plan.attribution }
    set { plan.attribution = newValue }
  }

  struct Row {
    let experiment: String
    let part: String
    let policy: String
    var features: String?
    var isChosen = false
    let tally: PolicyTally
    let interval: Interval?
    let status: String?

    var sums: OffPolicySums { tally.estimates[0].sums }
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var columns: ReportColumns<Row> {
    Columns.experiment(\.experiment)
    Columns.explained(
      "the latest decisions are held out; the others are for training, and their rewards may come later",
      .key("part", "cross-validation on the training decisions, or held-out decisions", \.part))
    Columns.key(
      "policy", "the policy class with its settings, uniform, logged, or served by an agent",
      \.policy)
    Columns.key("features", "the features of the policy; empty if it uses none", \.features)
    Columns.explained(
      "the greatest value of cross-validation, the first of equal ones in the order given",
      .measure("chosen", "whether the policy is the one that was chosen", \.isChosen).main)
    Columns.measure("decisions", "confirmed decisions with a propensity", \.sums.count).main
    Columns.measure("units", "distinct units among the decisions", \.sums.units)
    Columns.explained(
      "the estimator over all training decisions, each with the policy and the reward model learned without the fold "
        + "of its unit; folds are by a hash of the unit; no interval, since folds share their training decisions",
      source: "Stone 1974", as: "value of cross-validation")
    Columns.explained(
      "the estimator over the held-out decisions, with the policy learned from all training decisions; for logged, "
        + "the mean reward",
      as: "value of held-out decisions")
    Columns.explained(
      "as for held-out decisions, with (1 - share) pi + share / K for each of K choices",
      as: "served:control-share")
    Columns.measure("value", "the estimated mean reward of a decision of the policy", \.sums.value)
      .estimate.main
    Columns.measure("se", "the standard error of the value, by unit", \.sums.standardError).estimate
    Columns.interval("ci", "the interval of the value", \.interval).estimate.main
    Columns.measure(
      "effective_sample_size", "(sum of weights)^2 / sum of squared weights",
      \.tally.weights.effectiveSampleSize
    ).count.main
    Columns.measure(
      "mean_weight", "near 1 if propensities are right and the log has support",
      \.tally.weights.mean
    ).estimate
    Columns.measure("max_weight", "the greatest weight", \.tally.weights.greatest).estimate
    Columns.explained(
      "why value, se or ci_low and ci_high are empty, as in report evaluate",
      .estimateStatus(\.status))
  }

  /// The value of the column `part` for the decisions that were held back.
  static let heldOut = "held-out"

  public func result(of source: ReportSource) throws -> ReportResult {
    var plan = plan
    plan.attribution = try source.lookup.resolving(plan.attribution)
    let (experiment, learning) = try source.learning(plan)
    func row(
      _ part: String, _ policy: String, features: String? = nil, isChosen: Bool = false,
      _ tally: PolicyTally
    ) -> Row {
      let isHeld = part == Self.heldOut
      let estimate = tally.estimates[0]
      let interval = isHeld ? estimate.intervals(level: level)[0] : nil
      let shared = "the folds share their training decisions"
      return Row(
        experiment: experiment, part: part, policy: policy, features: features, isChosen: isChosen,
        tally: tally, interval: interval,
        status: isHeld
          ? EstimateStatus.text(estimate, withheld: nil, interval: 0, interval)
          : EstimateStatus.text(estimate.sums.missingError, withheld: shared, "interval"))
    }
    func candidateRow(_ part: String, _ index: Int, _ tally: PolicyTally) -> Row {
      let candidate = learning.candidates[index].candidate
      return row(
        part, candidate.specification.description, features: candidate.featureTerms,
        isChosen: index == learning.chosen, tally)
    }
    var rows = learning.candidates.enumerated().map {
      candidateRow("cross-validation", $0, $1.value)
    }
    if learning.heldSince != nil {
      rows.append(candidateRow(Self.heldOut, learning.chosen, learning.held))
      rows.append(row(Self.heldOut, "logged", learning.logged))
      rows.append(row(Self.heldOut, "uniform", learning.uniform))
      if let served = learning.served {
        let share = Specification.Parameter(key: "control-share", number: plan.controlShare)
        rows.append(row(Self.heldOut, "served:control-share=\(share.value)", served))
      }
    }
    var table = try Table(
      name: "learning", title: "Policies learned from the log", columns: Self.columns, rows: rows)
    note(learning, source.names, &table)
    var result = ReportResult(summarized(table.sorted()))
    if let path {
      let file = LearnedPolicyFile(
        learning, plan, experiment: experiment, eventCount: source.log?.eventCount)
      result.files = [(path, file.text)]
    }
    return result
  }

  private func note(_ learning: Learning, _ names: LogNames, _ table: inout Table) {
    table.note("attribution", plan.attribution.description)
    table.note(metric: plan.attribution.metric, learning.rewards.goals, names)
    table.note("estimator", plan.estimator.specification.description)
    table.note("interval", plan.interval.specification.description)
    table.note("level", level)
    table.note("reward_model", plan.modelNote)
    table.note("folds", plan.folds)
    if let time = learning.heldSince {
      table.note("held_out_since", .timestamp(Timestamp(microseconds: time).description))
    }
    if !learning.refused.isEmpty {
      var reasons: [String] = []
      for (_, reason) in learning.refused where !reasons.contains(reason) { reasons.append(reason) }
      table.note("left_out", "\(learning.refused.count): " + reasons.joined(separator: "; "))
    }
    let (training, held) = (learning.training, learning.heldDecisions)
    if learning.heldSince != nil {
      table.note("held_out_decisions_with_unseen_values", learning.unseen)
    }
    table.note("decisions_without_propensity", training.withoutPropensity + held.withoutPropensity)
    table.note("decisions_with_wrong_propensity", training.wrongPropensity + held.wrongPropensity)
    table.note("decisions_with_unknown_variant", training.unknownVariant + held.unknownVariant)
  }
}
