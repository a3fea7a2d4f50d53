internal import Bandits
internal import EventLog

/// The estimated values of target policies in one experiment.
public struct Evaluation: Sendable {
  /// The code of the experiment.
  public var experiment: UInt32
  /// The estimates of each policy.
  public var policies: [PolicyTally]
  /// The outcome of each learning policy.
  public var learningPolicies: [LearningPolicyTally]
  /// The decisions that were used and left out.
  public var ledger: EvaluationLedger
  /// The counts of credited and lost goals.
  public var rewards: RewardLedger
  /// The logged propensities.
  public var logging: LoggingTally
  /// By number of the place, the names of its point and slot.
  public var places: [(point: String, slot: String)]
  /// The names of the variants that decisions chose or could choose, sorted.
  public var variants: [String]
  /// The periods into which the decisions are divided; nil without any, or if the plan does not divide them.
  public var periods: EvaluationPeriods?
}

extension LogReplay {
  /// Estimates what target policies would have earned in an experiment of this log.
  ///
  /// The log is read once, and goals are credited once unless the memory is limited. The decisions are visited once to
  /// count them, survey features and count the choices of logging policies, once for each pass of each reward model,
  /// and once to estimate.
  ///
  /// - Complexity: for a unit with a single decision 16 bytes of memory and 40 for each of its goals, for other
  ///   decisions 80 bytes; with a memory limit as for other reports.
  ///
  /// - Parameters:
  ///   - selection: The part of the log; its experiments and attributes are ignored.
  ///   - experiment: The code of the experiment.
  ///   - plan: The policies, estimators and reward model.
  /// - Returns: The estimates, identical for any number of threads.
  /// - Throws: `SpecificationError` if no decision has an attribute that the model reads, or a variant one that a
  ///   policy reads, if the reward model cannot be fitted, or if there are too many slots to divide by;
  ///   ``GroupLimitError`` if there are too many kinds of situations for estimated propensities; `LogError` if the log
  ///   cannot be read.
  public func evaluate(
    _ selection: UnitSelection, experiment: UInt32, _ plan: OffPolicyPlan
  ) throws -> Evaluation {
    let selection = plan.selection(selection, experiment: experiment)
    // Learning policies see events in the order of their times.
    let units =
      plan.learningPolicies.isEmpty
      ? try EvaluatedUnits(self, selection, plan.needsOfUnits, deciding: plan.attribution)
      : try EvaluatedUnits(self, selection, plan.needs)
    let (evaluation, decisions) = try PlannedEvaluation.evaluations([plan], units)[0]
    var whole = evaluation
    whole.learningPolicies = try learningPolicies(plan, decisions)
    return whole
  }

  /// Evaluates plans in as few passes over the units as there can be, each with the same events of the log.
  ///
  /// - Parameters:
  ///   - selection: The part of the log; its experiments and attributes are ignored.
  ///   - experiment: The code of the experiment; nil if a part of a log does not have it.
  ///   - plans: The plans, without learning policies; all read what the first one reads.
  /// - Returns: The estimates of each plan.
  /// - Throws: Errors as of ``evaluate(_:experiment:_:)``.
  package func evaluateTogether(
    _ selection: UnitSelection, experiment: UInt32?, _ plans: [OffPolicyPlan]
  ) throws -> [Evaluation] {
    guard let first = plans.first else { return [] }
    let selection = first.selection(selection, experiment: experiment)
    let needs = plans.reduce(into: UnitNeeds()) { $0.formUnion($1.needsOfUnits) }
    let units =
      plans.allSatisfy { $0.attribution == first.attribution }
      ? try EvaluatedUnits(self, selection, needs, deciding: first.attribution)
      : try EvaluatedUnits(self, selection, first.needs)
    return try PlannedEvaluation.evaluations(plans, units).map(\.evaluation)
  }

  private func learningPolicies(
    _ plan: OffPolicyPlan, _ decisions: EvaluatedDecisions
  ) throws -> [LearningPolicyTally] {
    guard !plan.learningPolicies.isEmpty else { return [] }
    let features = try plan.contextFeatures.map { try decisions.features($0) }
    return try LearningPolicies(plan, decisions, features, jobs: jobs).tallies()
  }
}

extension MergedUnits {
  /// Evaluates plans from merged states; see ``LogReplay/evaluateTogether(_:experiment:_:)``.
  ///
  /// - Throws: Errors as of ``LogReplay/evaluate(_:experiment:_:)``, and those of the exchange of states.
  package func evaluateTogether(
    _ selection: UnitSelection, experiment: UInt32?, _ plans: [OffPolicyPlan]
  ) throws -> [Evaluation] {
    guard let first = plans.first else { return [] }
    let selection = first.selection(selection, experiment: experiment)
    let units = try EvaluatedUnits(self, selection, first.needs, names)
    return try PlannedEvaluation.evaluations(plans, units).map(\.evaluation)
  }
}
