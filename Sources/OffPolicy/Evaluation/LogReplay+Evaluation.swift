internal import Bandits
internal import EventLog
public import Replay

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

/// An experiment that is evaluated, with its plans.
package struct PlannedExperiment: Sendable {
  /// The part of the log: the experiment and its times.
  let selection: UnitSelection
  /// The plans, which read the same of the log.
  let plans: [OffPolicyPlan]

  /// Creates an experiment.
  ///
  /// - Parameters:
  ///   - selection: The part of the log; its experiments and attributes are ignored.
  ///   - experiment: The code of the experiment; nil if a part of a log does not have it.
  ///   - plans: The plans; all read what the first one reads.
  package init(_ selection: UnitSelection, _ experiment: UInt32?, _ plans: [OffPolicyPlan]) {
    self.selection = plans.first?.selection(selection, experiment: experiment) ?? selection
    self.plans = plans
  }
}

extension LogReplay {
  /// Estimates what target policies would have earned in an experiment of this log.
  ///
  /// The log is read once, and goals are credited once unless the memory is limited. The decisions are visited once to
  /// count them, survey features and count the choices of logging policies, once for each pass of each reward model,
  /// and once to estimate.
  ///
  /// - Complexity: for a unit with a single decision 16 bytes of memory and 40 for each of its goals, for other
  ///   decisions 56 bytes; with a memory limit as for other reports.
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
    try evaluate([PlannedExperiment(selection, experiment, [plan])])[0][0]
  }

  /// Evaluates experiments: reads the log once for all of them, or once for each where states are exchanged, if rewards
  /// are of conversions, or if they read more that differs than their times.
  ///
  /// - Parameter experiments: The experiments, each once.
  /// - Returns: By experiment, the estimates of each plan.
  /// - Throws: The error of the first experiment that cannot be evaluated, as of ``evaluate(_:experiment:_:)``.
  package func evaluate(_ experiments: [PlannedExperiment]) throws -> [[Evaluation]] {
    let plans = experiments.flatMap(\.plans)
    guard let first = plans.first else { return experiments.map { _ in [] } }
    // Learning policies see events in the order of their times.
    let decides = plans.allSatisfy {
      $0.learningPolicies.isEmpty && $0.attribution == first.attribution
    }
    let attribution = decides && memoryLimit == nil ? first.attribution : nil
    let needs = plans.reduce(into: decides ? UnitNeeds() : .hashes) { $0.formUnion($1.needsOfUnits) }
    let selections = experiments.map(\.selection)
    // Conversions belong to no experiment, so they cannot be sorted by it.
    guard experiments.count > 1, exchange == nil, needs.isDisjoint(with: .conversions),
      Set(selections.map(\.ofAllExperiments)).count == 1
    else {
      return try experiments.map {
        try evaluations(
          $0.plans, EvaluatedUnits(self, $0.selection, needs, deciding: attribution))
      }
    }
    let names = try EvaluatedUnits.names(self)
    let hashes = needs.contains(.hashes) ? try UnitHashes(log) : nil
    let collected = try collectEach(selections, needs, singleUnits: attribution)
    return try collected.map(jobs: jobs) { place, jobs in
      var (replay, units) = (self, collected.take(place))
      replay.jobs = jobs
      if let hashes { units.context.hashes = hashes }
      return try replay.evaluations(
        experiments[place].plans,
        EvaluatedUnits(units, deciding: attribution, replay, selections[place], names))
    }
  }

  /// Evaluates plans in as few passes over the units as there can be.
  private func evaluations(
    _ plans: [OffPolicyPlan], _ units: EvaluatedUnits
  ) throws -> [Evaluation] {
    try zip(plans, PlannedEvaluation.evaluations(plans, units)).map { plan, result in
      var (evaluation, decisions) = result
      evaluation.learningPolicies = try learningPolicies(plan, decisions)
      return evaluation
    }
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
  /// Evaluates plans from merged states; see ``LogReplay/evaluate(_:)``.
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
