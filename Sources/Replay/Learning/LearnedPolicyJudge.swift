internal import Bandits
internal import EventLog
internal import Statistics

/// A policy that is judged on decisions.
enum JudgedPolicy: Sendable {
  /// A learned policy: one for all units, or one for the units of each fold. The features are given by their index.
  case learned([LearnedPolicy], features: Int)
  /// All choices with the same probability.
  case uniform
  /// The logging policy: the mean reward.
  case logged
}

/// Estimates the values of policies on the decisions of a part of the log: one pass over the units.
struct LearnedPolicyJudge: UnitProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var decisions: LearnedDecisions
    var predictions: FoldPredictions
    var tallies: [PolicyTally]
    /// For each policy the decisions of the unit.
    var units: [UnitDecisions]
    var probabilities: [Double] = []
  }

  let known: LearningKnowledge
  let policies: [JudgedPolicy]
  let part: DecisionPart
  let folds: Int
  let estimator: any OffPolicyEstimator
  let interval: any IntervalMethod

  var needs: UnitNeeds { known.needs }

  func makeState(_ context: UnitContext) -> State {
    let tallies = policies.map { policy in
      let isLogged = if case .logged = policy { true } else { false }
      return PolicyTally([isLogged ? InversePropensity() : estimator], [interval])
    }
    return State(
      rows: EvaluationRows(context, known.attribution, part), decisions: known.decisions,
      predictions: known.predictions, tallies: tallies,
      units: tallies.map { _ in UnitDecisions() })
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, known.source.context.situations)
    guard !state.rows.rows.isEmpty else { return }
    let unit = known.source.hashes[history[0].unit]
    let fold = CrossFitting.fold(of: unit, among: folds)
    for index in policies.indices {
      state.units[index].removeAll(inputs: state.tallies[index].inputs.count)
    }
    for (number, row) in state.rows.rows.enumerated() where state.decisions.take(row) {
      state.predictions.take(state.decisions.variants, row, fold: fold)
      for index in policies.indices { add(row, number, index, fold, &state) }
    }
    for index in policies.indices {
      state.tallies[index].add(state.units[index], key: unit)
    }
  }

  /// Adds a decision to a policy.
  private func add(
    _ row: EvaluationRow, _ number: Int, _ index: Int, _ fold: Int, _ state: inout State
  ) {
    let choices = TargetProbabilities.Choices(
      variants: state.decisions.variants,
      probabilities: probabilities(policies[index], row, fold, &state))
    for (place, input) in state.tallies[index].inputs.enumerated() {
      let predictions = input.model == .none ? [] : state.predictions.without(fold)
      let decision = choices.decision(row, predictions, weight: nil)?.rewarded(row.reward)
      if let decision {
        if input == state.tallies[index].inputs[0] {
          state.tallies[index].add(weightOf: decision)
        }
        state.units[index].append(decision, row: number, to: place)
      } else {
        state.tallies[index].notFinite += 1
      }
    }
  }

  private func probabilities(
    _ policy: JudgedPolicy, _ row: EvaluationRow, _ fold: Int, _ state: inout State
  ) -> [Double] {
    let count = state.decisions.variants.count
    switch policy {
    case .uniform: return Array(repeating: 1 / Double(count), count: count)
    case .logged:
      return state.decisions.variants.map { $0 == row.variant ? row.propensity : 0 }
    case .learned(let policies, let features):
      let policy = policies[policies.count > 1 ? fold : 0]
      policy.probabilities(
        slot: state.decisions.decision.slot, choices: state.decisions.decision.choices,
        state.decisions.vectors[features], into: &state.probabilities)
      return state.probabilities
    }
  }

  func merge(_ other: State, into state: inout State) {
    for index in policies.indices { state.tallies[index].merge(other.tallies[index]) }
    state.rows.merge(other.rows)
  }

  func result(of state: State, _ context: UnitContext) -> Judgement {
    Judgement(tallies: state.tallies, ledger: state.rows.ledger)
  }
}

/// The estimated values of policies on a part of a log.
struct Judgement: Sendable {
  /// The estimates, by policy.
  var tallies: [PolicyTally]
  /// The decisions that were used and left out.
  var ledger: EvaluationLedger
}
