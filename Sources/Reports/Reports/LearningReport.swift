internal import Bandits
internal import EventLog
public import Events
public import Replay
internal import Specifications
internal import Statistics
internal import Tables

/// The report `learn`: a policy learned from the log, with the value of each candidate and that of the chosen one on the
/// decisions that were held back.
public struct LearningReport: Report {
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
    try ReportError.check(plan.attribution)
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

  public var end: Timestamp? { plan.attribution.end }

  static let columns: [TableColumn] = [
    .key("experiment", .text, "what is decided"),
    .key("part", .text, "cross-validation on the training decisions, or held-out decisions"),
    .key(
      "policy", .text, "the policy class with its settings, uniform, logged, or served by an agent"),
    .key("features", .text, "the features of the policy; empty if it uses none"),
    .measure("chosen", .flag, "whether the policy is the one that was chosen").main,
    .measure("decisions", .integer, "confirmed decisions with a propensity").main,
    .measure("units", .integer, "distinct units among the decisions"),
    .measure("value", .decimal, "the estimated mean reward of a decision of the policy").estimate
      .main,
    .measure("se", .decimal, "the standard error of the value, by unit").estimate,
    .measure("ci_low", .decimal, "lower end of the interval of the value").estimate
      .main,
    .measure("ci_high", .decimal, "upper end of the interval of the value").estimate
      .main,
    .measure("effective_sample_size", .decimal, "(sum of weights)^2 / sum of squared weights")
      .count.main,
    .measure("mean_weight", .decimal, "near 1 if propensities are right and the log has support")
      .estimate,
    .measure("max_weight", .decimal, "the greatest weight").estimate, EstimateStatus.column,
  ]

  /// What the column `part` says of the decisions that were held back.
  static let heldOut = "held-out"

  public func result(of source: ReportSource) throws -> ReportResult {
    let (experiment, learning) = try source.learning(plan)
    var table = try Table(
      name: "learning", title: "Policies learned from the log", columns: Self.columns)
    for (index, candidate) in learning.candidates.enumerated() {
      try append(
        (experiment, "cross-validation", candidate.candidate, index == learning.chosen),
        candidate.value, to: &table)
    }
    if learning.heldSince != nil {
      let chosen = learning.candidates[learning.chosen].candidate
      try append((experiment, Self.heldOut, chosen, true), learning.held, to: &table)
      var others = [("logged", learning.logged), ("uniform", learning.uniform)]
      if let served = learning.served {
        let share = Specification.Parameter(key: "control-share", number: plan.controlShare)
        others.append(("served:control-share=\(share.value)", served))
      }
      for (name, tally) in others {
        try table.append(
          row: [.text(experiment), .text(Self.heldOut), .text(name), .empty, .flag(false)]
            + cells(tally, isHeld: true))
      }
    }
    note(learning, &table)
    var result = ReportResult(answered(table.sorted()))
    if let path {
      let file = LearnedPolicyFile(
        learning, plan, experiment: experiment, eventCount: source.log?.eventCount)
      result.files = [(path, file.text)]
    }
    return result
  }

  private func append(
    _ row: (experiment: String, part: String, candidate: LearningPlan.Candidate, chosen: Bool),
    _ tally: PolicyTally, to table: inout Table
  ) throws(TableError) {
    try table.append(
      row: [
        .text(row.experiment), .text(row.part), .text(row.candidate.specification.description),
        TableCell(row.candidate.featureTerms), .flag(row.chosen),
      ] + cells(tally, isHeld: row.part == Self.heldOut))
  }

  private func cells(_ tally: PolicyTally, isHeld: Bool) -> [TableCell] {
    let estimate = tally.estimates[0]
    let interval = isHeld ? estimate.intervals(level: level)[0] : nil
    let shared = "the folds share their training decisions"
    let status = EstimateStatus.text(
      estimate, bias: isHeld ? nil : shared, interval: 0, interval)
    return [
      .integer(estimate.sums.count), .integer(estimate.sums.units),
      TableCell(estimate.sums.value), TableCell(estimate.sums.standardError),
      TableCell(interval?.low), TableCell(interval?.high),
      TableCell(tally.weights.effectiveSampleSize), TableCell(tally.weights.mean),
      TableCell(tally.weights.greatest),
      TableCell(status),
    ]
  }

  private func note(_ learning: Learning, _ table: inout Table) {
    table.note("attribution", .text(plan.attribution.description))
    table.note("estimator", .text(plan.estimator.specification.description))
    table.note("interval", .text(plan.interval.specification.description))
    table.note("level", .decimal(level))
    table.note("reward_model", .text(plan.modelNote))
    table.note("folds", .integer(plan.folds))
    if let time = learning.heldSince {
      table.note("held_out_since", .timestamp(Timestamp(microseconds: time).description))
    }
    if !learning.refused.isEmpty {
      var reasons: [String] = []
      for (_, reason) in learning.refused where !reasons.contains(reason) { reasons.append(reason) }
      table.note(
        "left_out", .text("\(learning.refused.count): " + reasons.joined(separator: "; ")))
    }
    let (training, held) = (learning.training, learning.heldDecisions)
    if learning.heldSince != nil {
      table.note("held_out_decisions_with_unseen_values", .integer(learning.unseen))
    }
    table.note(
      "decisions_without_propensity",
      .integer(training.withoutPropensity + held.withoutPropensity))
    table.note(
      "decisions_with_wrong_propensity", .integer(training.wrongPropensity + held.wrongPropensity))
    table.note(
      "decisions_with_unknown_variant", .integer(training.unknownVariant + held.unknownVariant))
  }
}
