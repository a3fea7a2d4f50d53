internal import Bandits
internal import EventLog
public import Events
public import Replay
internal import Statistics
internal import Tables

/// The report `evaluate`: what other policies would have earned, estimated from the log.
public struct EvaluationReport: Report {
  public static let name = "evaluate"
  public static let abstract = "Estimate what other policies would have earned."

  /// The policies, the estimators and the reward model.
  public let plan: OffPolicyPlan
  /// The confidence level of intervals.
  public let level: Double

  /// Creates a report of the value of target policies.
  ///
  /// - Throws: ``ReportError`` if a parameter is out of range.
  public init(plan: OffPolicyPlan, level: Double = 0.95) throws(ReportError) {
    try ReportError.check(level: level)
    try ReportError.check(plan.attribution)
    self.plan = plan
    self.level = level
  }

  public var end: Timestamp? { plan.attribution.end }

  static let columns: [TableColumn] = [
    .key("experiment", .text, "what is decided"),
    .key("policy", .text, "the policy that is evaluated"),
    .key("estimator", .text, "how its value is estimated"),
    .measure("decisions", .integer, "confirmed decisions with a propensity"),
    .measure("value", .decimal, "the estimated mean reward of a decision of the policy"),
    .measure("se", .decimal, "the standard error of the value, by unit"),
    .measure("ci_low", .decimal, "lower end of the interval of the value"),
    .measure("ci_high", .decimal, "upper end of the interval of the value"),
    .measure("effective_sample_size", .decimal, "(sum of weights)^2 / sum of squared weights"),
    .measure("mean_weight", .decimal, "near 1 if propensities are right and the log has support"),
    .measure("max_weight", .decimal, "the greatest weight"),
    .measure("matched", .integer, "decisions that the policy could have made too"),
    .measure("units", .integer, "distinct units among the decisions"),
    .key("interval", .text, "the method of the interval"),
    .measure("choice", .text, "the estimator chosen, where it is one of several"),
  ]

  public func result(of source: ReportSource) throws -> ReportResult {
    var table = try Table(
      name: "evaluation", title: "Other policies, estimated from the log", columns: Self.columns)
    var ledger = EvaluationLedger()
    for evaluation in try source.evaluations(plan) {
      ledger.merge(evaluation.ledger)
      try append(evaluation, source.names, to: &table)
    }
    note(ledger, &table)
    return ReportResult(table.sorted())
  }

  private func append(
    _ evaluation: Evaluation, _ names: LogNames, to table: inout Table
  ) throws(TableError) {
    let experiment = names.string(evaluation.experiment, in: .experiments) ?? ""
    for (policy, tally) in zip(plan.policies, evaluation.policies) {
      for (estimator, estimate) in zip(plan.estimators, tally.estimates) {
        let sums = estimate.sums
        for (method, interval) in zip(plan.intervals, estimate.intervals(level: level)) {
          try table.append(row: [
            .text(experiment), .text(policy.specification.description),
            .text(estimator.specification.description), .integer(sums.count),
            TableCell(sums.value), TableCell(sums.standardError), TableCell(interval?.low),
            TableCell(interval?.high), TableCell(tally.weights.effectiveSampleSize),
            TableCell(tally.weights.mean), TableCell(tally.weights.greatest),
            .integer(sums.matched), .integer(sums.units),
            .text(method.specification.description), TableCell(sums.choice?.description),
          ])
        }
      }
    }
  }

  private func note(_ ledger: EvaluationLedger, _ table: inout Table) {
    table.note("attribution", .text(plan.attribution.description))
    table.note("reward_model", .text(plan.rewardModel.specification.description))
    table.note("folds", .integer(plan.folds))
    table.note("level", .decimal(level))
    table.note("decisions_without_propensity", .integer(ledger.withoutPropensity))
    table.note("decisions_with_wrong_propensity", .integer(ledger.wrongPropensity))
    table.note("decisions_with_unknown_variant", .integer(ledger.unknownVariant))
  }
}
