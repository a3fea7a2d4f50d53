internal import Bandits
internal import EventLog
internal import Replay
internal import Specifications
internal import Statistics

/// Estimates the value of target policies: the last pass over the units.
///
/// A class, so that the calls for each unit do not copy what it knows of the log.
final class EvaluationProjector: DecisionProjector {
  struct State: StateFields {
    var rows: EvaluationRows
    var predictor: RewardPredictor
    var policies: [TargetPolicyState]
    var weights: DecisionWeights
    /// The decisions since the kinds were last settled.
    var kinds: DecisionKinds
    /// The numbers of the kinds of the unit's decisions.
    var unit: [Int] = []
    /// The shared model's predictions for the choices of a kind of decision.
    var modelled: [Double] = []
    var lists = ChoiceLists()

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      for policy in policies.indices {
        visit(&policies[policy].tally, other.policies[policy].tally)
      }
    }
  }

  private let source: EvaluationSource
  private let plan: OffPolicyPlan
  /// The features; nil if the models use none.
  private let features: DecisionFeatures?
  private let models: FittedModels
  /// The importance weights of decisions.
  private let weights: DecisionWeights
  /// The periods for which values are estimated too; nil for none.
  private let periods: EvaluationPeriods?

  init(
    source: EvaluationSource, plan: OffPolicyPlan, features: DecisionFeatures?,
    models: FittedModels, weights: DecisionWeights, periods: EvaluationPeriods?
  ) {
    (self.source, self.plan, self.features) = (source, plan, features)
    (self.models, self.weights, self.periods) = (models, weights, periods)
  }

  var needs: UnitNeeds { plan.needs }

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, plan.attribution),
      predictor: RewardPredictor(source, features),
      policies: plan.policies.indices.map { policy in
        TargetPolicyState(
          target: TargetProbabilities(plan.policies[policy], source),
          tally: PolicyTally(plan, isCompared: plan.versus.map { $0 != policy } ?? false))
      }, weights: weights,
      kinds: DecisionKinds(
        distinguishingPropensities: plan.estimators.contains {
          $0.weights == .mixture || $0.weights == .marginal
        }))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, source.context.situations)
    guard !state.rows.rows.isEmpty else { return }
    apply(state.rows.rows, of: history[0].unit, to: &state)
  }

  func apply(_ rows: [CreditedDecision], of unit: UInt32, to state: inout State) {
    add(rows, of: unit, to: &state)
  }

  var distinguishesUnits: Bool { plan.distinguishesUnits }

  func apply(_ single: SingleUnit, to state: inout State) {
    add([single.row], of: single.unit, times: single.times, to: &state)
  }

  /// Adds the decisions of a unit, or of a number of such units with one decision.
  private func add(
    _ rows: [CreditedDecision], of code: UInt32, times: Int = 1, to state: inout State
  ) {
    let unit = source.hashes[code]
    number(rows, unit, times, &state)
    for policy in state.policies.indices {
      state.policies[policy].take(rows, kinds: state.unit, times: times)
      state.policies[policy].endUnit(unit, times: times)
      if plan.dividesSlots { state.policies[policy].addSlots(unit, rows) }
      if let periods { state.policies[policy].add(rows, periods) }
    }
    guard let versus = plan.versus else { return }
    for policy in state.policies.indices where policy != versus {
      state.policies[policy].tally.add(
        state.policies[policy].unit, versus: state.policies[versus].unit, times: times)
    }
  }

  /// Finds the kinds of the decisions of a unit.
  private func number(
    _ rows: [CreditedDecision], _ unit: UInt64, _ times: Int, _ state: inout State
  ) {
    // Numbers are good until kinds are settled, so there is room for a whole unit first.
    if state.kinds.isFull(for: rows.count) {
      settle(&state, keepingKinds: !state.kinds.lacksKinds(for: rows.count))
    }
    let fold = (models.shared ?? models.ofPolicies.first)?.index(for: unit) ?? 0
    state.unit.removeAll(keepingCapacity: true)
    for row in rows {
      let known = state.kinds.counts.count
      let kind = state.kinds.count(row, fold: fold, times: times)
      if kind == known { learn(row, fold, &state) }
      state.unit.append(kind)
    }
  }

  /// Computes what estimators see of a new kind of decision.
  private func learn(_ row: CreditedDecision, _ fold: Int, _ state: inout State) {
    let variants = source.choices(of: row)
    let chosen = state.lists.chosen(of: row, among: variants, source)
    if let shared = models.shared {
      state.predictor.predict(
        variants, row, shared.models[fold], number: fold, into: &state.modelled)
    }
    for policy in state.policies.indices {
      if !models.ofPolicies.isEmpty {
        let own = models.ofPolicies[policy].models
        state.predictor.predict(
          variants, row, own[fold], number: (policy + 1) * own.count + fold,
          into: &state.policies[policy].modelled)
      }
      state.policies[policy].learn(
        row, chosen, shared: state.modelled, model: fold, &state.weights)
    }
  }

  /// Adds the counts of all kinds of decisions to the tallies, and forgets the kinds, or only their propensities.
  private func settle(_ state: inout State, keepingKinds keepsKinds: Bool = false) {
    for policy in state.policies.indices {
      state.policies[policy].settle(state.kinds, source, keepingKinds: keepsKinds)
    }
    if keepsKinds { state.kinds.removeWeighted() } else { state.kinds.removeAll() }
  }

  func merge(_ other: State, into state: inout State) {
    var other = other
    settle(&other)
    state.merge(other)
  }

  func write(_ state: State, to writer: inout StateWriter) {
    var state = state
    settle(&state)
    state.write(to: &writer)
  }

  func result(of state: State, _ context: UnitContext) -> [PolicyTally] {
    var state = state
    settle(&state)
    return state.policies.map(\.tally)
  }
}
