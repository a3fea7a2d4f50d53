internal import Bandits
internal import EventLog
internal import Replay
internal import Specifications
internal import Statistics

/// A policy that is judged on decisions.
enum JudgedPolicy: Sendable {
  /// A learned policy: one for all units, or one for the units of each fold. The features are given by their index.
  case learned([LearnedPolicy], features: Int)
  /// A learned policy, and a share of the decisions with the same probability for all choices.
  case served(LearnedPolicy, features: Int, controlShare: Double)
  /// All choices with the same probability.
  case uniform
  /// The logging policy: the mean reward.
  case logged
}

/// Estimates the values of policies on the decisions of a part of the log: one pass over the units.
struct LearnedPolicyJudge: UngroupedProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var decisions: LearnedDecisions
    var predictions: FoldPredictions
    var tallies: [PolicyTally]
    /// For each policy the decisions of the unit.
    var units: [UnitDecisions]
    var probabilities: [Double] = []
    /// The probabilities and mean predictions in decisions with long lists of choices.
    var kept = KeptNumbers<Key>()
    var expected: [Key: Double] = [:]
  }

  /// The key on which the probabilities of a policy depend.
  struct Key: Hashable, Sendable {
    var policy: Int
    var fold: Int
    var place: UInt32
    var situation: UInt32
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
      for index in policies.indices {
        add(row, number, index, fold, &state)
        if case .learned(let learned, let features) = policies[index], learned.count == 1,
          state.decisions.isUnseen(row, features)
        {
          state.tallies[index].unseen += 1
        }
      }
    }
    for index in policies.indices {
      state.tallies[index].add(state.units[index], key: unit)
    }
  }

  /// Adds a decision to a policy.
  private func add(
    _ row: CreditedDecision, _ number: Int, _ index: Int, _ fold: Int, _ state: inout State
  ) {
    let (target, chosen) = (
      target(policies[index], index, row, fold, &state), state.decisions.decision.chosen
    )
    for (place, input) in state.tallies[index].inputs.enumerated() {
      let predictions = input.model == .none ? [] : state.predictions.without(fold)
      let decision = SeenDecision(
        target: target, weight: nil,
        modelled: chosen < predictions.count ? predictions[chosen] : 0,
        expected: expected(predictions, index, row, fold, &state)
      ).decision(propensity: row.propensity, reward: row.reward)
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

  /// Returns the probability of the chosen variant, and fills the buffer of probabilities for a learned policy.
  private func target(
    _ policy: JudgedPolicy, _ index: Int, _ row: CreditedDecision, _ fold: Int, _ state: inout State
  ) -> Double {
    let decision = state.decisions.decision
    switch policy {
    case .uniform: return 1 / Double(decision.choices.count)
    case .logged: return row.propensity
    case .learned(let policies, let features):
      let key = Key(policy: index, fold: fold, place: row.place, situation: row.situation)
      let isLong = decision.choices.count >= ChoiceLists.leastKept
      if isLong, let known = state.kept[key] {
        state.probabilities = known
      } else {
        policies[policies.count > 1 ? fold : 0].probabilities(
          slot: decision.slot, choices: decision.choices, state.decisions.vectors[features],
          into: &state.probabilities)
        if isLong { state.kept.keep(state.probabilities, key) }
      }
      return state.probabilities[decision.chosen]
    case .served(let policy, let features, let share):
      let learned = target(.learned([policy], features: features), index, row, fold, &state)
      return (1 - share) * learned + share / Double(decision.choices.count)
    }
  }

  /// Returns the mean of the predictions for a policy, whose probabilities are in the buffer if it was learned.
  private func expected(
    _ predictions: [Double], _ index: Int, _ row: CreditedDecision, _ fold: Int, _ state: inout State
  ) -> Double {
    guard !predictions.isEmpty else { return 0 }
    let key = Key(policy: index, fold: fold, place: row.place, situation: row.situation)
    if let known = state.expected[key] { return known }
    var sum = 0.0
    switch policies[index] {
    case .uniform:
      let share = 1 / Double(predictions.count)
      for prediction in predictions { sum += share * prediction }
    case .logged: sum = row.propensity * predictions[state.decisions.decision.chosen]
    case .learned:
      for (probability, prediction) in zip(state.probabilities, predictions) where probability > 0 {
        sum += probability * prediction
      }
    case .served(_, _, let share):
      let equal = share / Double(predictions.count)
      for (probability, prediction) in zip(state.probabilities, predictions) {
        sum += ((1 - share) * probability + equal) * prediction
      }
    }
    let isLong = predictions.count >= ChoiceLists.leastKept
    if case .logged = policies[index] { return sum }
    if isLong, state.expected.count < 1 << 16 { state.expected[key] = sum }
    return sum
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
