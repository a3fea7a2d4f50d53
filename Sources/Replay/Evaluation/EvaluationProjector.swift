internal import Bandits
internal import EventLog
internal import Statistics

/// Estimates the value of target policies: the last pass over the units.
struct EvaluationProjector: UnitProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var targets: [TargetProbabilities]
    var tallies: [PolicyTally]
    /// The decisions of the unit, for each of the ``PolicyTally/inputs``.
    var decisions: [[LoggedDecision]] = []
  }

  let source: EvaluationSource
  let plan: OffPolicyPlan
  /// For each policy the models of each use of one.
  let models: [[RewardModelUse: CrossFittedModels]]

  var needs: UnitNeeds { plan.needs }

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, plan.attribution),
      targets: plan.policies.map { TargetProbabilities($0, source) },
      tallies: plan.policies.map { _ in PolicyTally(plan.estimators, plan.intervals) })
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, source.context.situations)
    guard !state.rows.rows.isEmpty else { return }
    let unit = source.hashes[history[0].unit]
    for policy in state.targets.indices {
      let predictions = models[policy].mapValues { $0.model(for: unit) }
      collect(policy, predictions, &state)
      state.tallies[policy].add(unit: state.decisions, key: unit)
    }
  }

  /// Collects the decisions of the unit as the estimators of a policy see them.
  private func collect(
    _ policy: Int, _ models: [RewardModelUse: any FittedRewardModel], _ state: inout State
  ) {
    let inputs = state.tallies[policy].inputs
    if state.decisions.count != inputs.count {
      state.decisions = Array(repeating: [], count: inputs.count)
    }
    for input in inputs.indices { state.decisions[input].removeAll(keepingCapacity: true) }
    for row in state.rows.rows {
      let choices = state.targets[policy].choices(of: row)
      guard !choices.probabilities.isEmpty else {
        state.tallies[policy].undecided += 1
        continue
      }
      state.tallies[policy].add(support: choices, row)
      for (place, input) in inputs.enumerated() {
        if let decision = decision(row, choices, input, models[input.model]) {
          state.decisions[place].append(decision)
        } else {
          state.tallies[policy].notFinite += 1
        }
      }
    }
  }

  private func decision(
    _ row: EvaluationRow, _ choices: TargetProbabilities.Choices, _ input: PolicyTally.Input,
    _ model: (any FittedRewardModel)?
  ) -> LoggedDecision? {
    let target = choices.probability(of: row.variant)
    guard let model else {
      return LoggedDecision(reward: row.reward, propensity: row.propensity, target: target)
    }
    let features = FeatureVector()
    var expected = 0.0
    for (variant, probability) in zip(choices.variants, choices.probabilities)
    where probability > 0 {
      expected +=
        probability
        * model.reward(of: source.numbers.number(of: variant), in: Int(row.place), features)
    }
    return LoggedDecision(
      reward: row.reward, propensity: row.propensity, target: target,
      modelled: model.reward(
        of: source.numbers.number(of: row.variant), in: Int(row.place), features),
      expected: expected)
  }

  func merge(_ other: State, into state: inout State) {
    for policy in state.tallies.indices { state.tallies[policy].merge(other.tallies[policy]) }
  }

  func result(of state: State, _ context: UnitContext) -> [PolicyTally] { state.tallies }
}
