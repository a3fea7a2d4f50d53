internal import Bandits
internal import EventLog
internal import Statistics

/// Estimates the value of target policies: the last pass over the units.
struct EvaluationProjector: UnitProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var predictor: RewardPredictor
    var policies: [PolicyState]
    var weights: DecisionWeights
    /// The shared model's predictions for the choices of the current decision.
    var modelled: [Double] = []
  }

  /// The state of one target policy.
  struct PolicyState: Sendable {
    var target: TargetProbabilities
    var tally: PolicyTally
    /// The decisions of the unit.
    var unit = UnitDecisions()
    /// The predictions of the policy's own model for the choices of the current decision.
    var modelled: [Double] = []
  }

  /// The models for one unit.
  private struct UnitModels {
    var shared: (any FittedRewardModel)?
    var ofPolicies: [any FittedRewardModel]
  }

  let source: EvaluationSource
  let plan: OffPolicyPlan
  /// The features; nil if the models use none.
  let features: DecisionFeatures?
  let models: FittedModels
  /// The importance weights of decisions.
  let weights: DecisionWeights
  /// The periods for which values are estimated too; nil for none.
  let periods: EvaluationPeriods?

  var needs: UnitNeeds { plan.needs }

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, plan.attribution),
      predictor: RewardPredictor(source.numbers, features),
      policies: plan.policies.indices.map { policy in
        PolicyState(
          target: TargetProbabilities(plan.policies[policy], source),
          tally: PolicyTally(plan, isCompared: plan.versus.map { $0 != policy } ?? false))
      }, weights: weights)
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, source.context.situations)
    guard !state.rows.rows.isEmpty else { return }
    let unit = source.hashes[history[0].unit]
    let models = UnitModels(
      shared: models.shared?.model(for: unit),
      ofPolicies: self.models.ofPolicies.map { $0.model(for: unit) })
    for policy in state.policies.indices { state.policies[policy].beginUnit() }
    for index in state.rows.rows.indices { add(index, models, &state) }
    for policy in state.policies.indices { state.policies[policy].keepWhole(state.rows.rows) }
    for policy in state.policies.indices {
      state.policies[policy].endUnit(unit)
      if plan.dividesSlots { state.policies[policy].addSlots(unit, state.rows.rows) }
      if let periods { state.policies[policy].add(state.rows.rows, periods) }
      guard let versus = plan.versus, versus != policy else { continue }
      state.policies[policy].tally.add(
        state.policies[policy].unit, versus: state.policies[versus].unit)
    }
  }

  /// Adds a decision of the current unit.
  private func add(_ index: Int, _ models: UnitModels, _ state: inout State) {
    let row = state.rows.rows[index]
    let logged = source.loggedProbabilities(of: row)
    let variants = source.choices(of: row)
    if let shared = models.shared {
      state.predictor.predict(variants, row, shared, into: &state.modelled)
    }
    for policy in state.policies.indices {
      if !models.ofPolicies.isEmpty {
        state.predictor.predict(
          variants, row, models.ofPolicies[policy], into: &state.policies[policy].modelled)
      }
      state.policies[policy].add(
        row, index, shared: state.modelled, logged, source.variants, &state.weights)
    }
  }

  func merge(_ other: State, into state: inout State) {
    for policy in state.policies.indices {
      state.policies[policy].tally.merge(other.policies[policy].tally)
    }
  }

  func result(of state: State, _ context: UnitContext) -> [PolicyTally] {
    state.policies.map(\.tally)
  }
}

extension EvaluationProjector.PolicyState {
  /// Forgets the decisions of the most recent unit.
  mutating func beginUnit() {
    unit.removeAll(inputs: tally.inputs.count)
  }

  /// Adds a decision of the current unit, in the form of each of the inputs.
  ///
  /// - Parameters:
  ///   - row: The decision.
  ///   - index: Its index among the rows of the unit.
  ///   - shared: The shared model's predictions for the choices.
  ///   - logged: The logged probabilities of the choices; nil if they were not logged.
  ///   - chosen: The variants that were chosen at each place.
  ///   - weights: The importance weights.
  mutating func add(
    _ row: EvaluationRow, _ index: Int, shared: [Double], _ logged: ArraySlice<Double>?,
    _ chosen: PlaceVariants, _ weights: inout DecisionWeights
  ) {
    let choices = target.choices(of: row, modelled: shared)
    guard !choices.probabilities.isEmpty else {
      tally.undecided += 1
      return
    }
    tally.support.add(choices, logged: logged, row, chosen)
    for (place, input) in tally.inputs.enumerated() {
      let predictions =
        switch input.model {
        case .none: [Double]()
        case .unweighted: shared
        case .varianceMinimizing: modelled
        }
      let weight =
        choices.isRealized
        ? 1 : input.weights == .logged ? nil : weights.weight(input.weights, row, choices)
      if let decision = choices.decision(row, predictions, weight: weight) {
        unit.append(decision, row: index, to: place)
      } else {
        tally.notFinite += 1
      }
    }
  }

  /// Removes incomplete whole decisions of the current unit from what estimators of whole decisions see.
  mutating func keepWhole(_ rows: [EvaluationRow]) {
    for (place, input) in tally.inputs.enumerated() where input.isWhole {
      unit.keepWhole(place, of: rows)
    }
  }

  /// Adds the decisions of the current unit to the tally.
  mutating func endUnit(_ key: UInt64) { tally.add(unit, key: key) }

  /// Adds the decisions of the current unit to their slots.
  mutating func addSlots(_ key: UInt64, _ rows: [EvaluationRow]) {
    tally.addSlots(unit, places: rows.map(\.place), key: key)
  }

  /// Adds the decisions of the current unit to their periods.
  mutating func add(_ rows: [EvaluationRow], _ periods: EvaluationPeriods) {
    tally.add(unit, times: rows.map(\.time), periods)
  }
}

extension TargetProbabilities.Choices {
  /// Returns a decision as estimators see it; nil if a weight or a prediction is not finite.
  ///
  /// - Parameters:
  ///   - row: The decision.
  ///   - predictions: The predicted reward of each choice; empty without a model.
  ///   - weight: The importance weight; nil for that of the logged propensity.
  /// - Returns: The decision.
  func decision(
    _ row: EvaluationRow, _ predictions: [Double], weight: Double?
  ) -> LoggedDecision? {
    let chosen = variants.firstIndex(of: row.variant)
    let target = chosen.map { probabilities[$0] } ?? 0
    var (modelled, expected) = (0.0, 0.0)
    if predictions.count == variants.count, let chosen {
      modelled = predictions[chosen]
      for (probability, prediction) in zip(probabilities, predictions) where probability > 0 {
        expected += probability * prediction
      }
    }
    var decision =
      if let weight {
        LoggedDecision(
          reward: row.reward, weight: weight, modelled: modelled, expected: expected)
      } else {
        LoggedDecision(
          reward: row.reward, propensity: row.propensity, target: target, modelled: modelled,
          expected: expected)
      }
    decision?.logger = row.logger
    return decision
  }
}
