internal import Bandits
internal import EventLog
internal import Statistics

/// The estimated values of target policies in one experiment.
public struct Evaluation: Sendable {
  /// The code of the experiment.
  public var experiment: UInt32
  /// The estimates of each policy.
  public var policies: [PolicyTally]
  /// What came of each learning policy.
  public var learningPolicies: [LearningPolicyTally]
  /// The decisions that were used and left out.
  public var ledger: EvaluationLedger
  /// What was credited.
  public var rewards: RewardLedger
  /// The logged propensities.
  public var logging: LoggingTally
  /// By number of the place, the names of its point and slot.
  public var places: [(point: String, slot: String)]
  /// The periods into which the decisions are divided; nil without any, or if the plan does not divide them.
  public var periods: EvaluationPeriods?
}

extension LogReplay {
  /// Estimates what target policies would have earned in an experiment of this log.
  ///
  /// The log is read once; the units are visited once to count decisions, once to survey features, once to count the
  /// choices of logging policies, once for each pass of each reward model, and once to estimate.
  ///
  /// - Parameters:
  ///   - selection: The part of the log; its experiments and attributes are ignored.
  ///   - experiment: The code of the experiment.
  ///   - plan: The policies, estimators and reward model.
  /// - Returns: The estimates, identical for any number of threads.
  /// - Throws: `SpecificationError` if no decision has an attribute that the model reads, or a variant one that a policy reads, if the reward model
  ///   cannot be fitted, or if there are too many slots to divide by; ``GroupLimitError`` if there are too many kinds of
  ///   situations for estimated propensities; `LogError` if the log cannot be read.
  public func evaluate(
    _ selection: UnitSelection, experiment: UInt32, _ plan: OffPolicyPlan
  ) throws -> Evaluation {
    let decisions = try EvaluatedDecisions(
      self, plan.selection(selection, experiment: experiment), plan.needs, plan.attribution)
    try plan.check(places: decisions.source.places.count)
    try decisions.require(plan.policies.flatMap(\.variantFeatures).map { .features($0) })
    let features = try plan.needsFeatures ? decisions.features(plan.features) : nil
    let models = try RewardModelFits(plan, decisions, features).models()
    let shares = try plan.needsShares ? decisions.shares(plan.targetAttributes) : nil
    let weights = DecisionWeights(
      shares ?? ShareTable(attributes: []), plan.groups, decisions.source)
    let periods = plan.divides ? decisions.logging.times.map { EvaluationPeriods($0) } : nil
    let policies = try decisions.show(
      to: EvaluationProjector(
        source: decisions.source, plan: plan, features: features, models: models,
        weights: weights, periods: periods))
    return Evaluation(
      experiment: experiment, policies: policies,
      learningPolicies: try learningPolicies(plan, decisions), ledger: decisions.ledger,
      rewards: decisions.rewards, logging: decisions.logging, places: decisions.source.places,
      periods: periods)
  }

  private func learningPolicies(
    _ plan: OffPolicyPlan, _ decisions: EvaluatedDecisions
  ) throws -> [LearningPolicyTally] {
    guard !plan.learningPolicies.isEmpty else { return [] }
    let features = try plan.contextFeatures.map { try decisions.features($0) }
    return try LearningPolicies(plan, decisions, features, jobs: jobs).tallies()
  }
}
