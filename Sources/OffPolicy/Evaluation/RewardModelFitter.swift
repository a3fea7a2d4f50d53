internal import Bandits
internal import EventLog
internal import Replay
internal import Specifications
internal import Statistics

/// Fits a reward model to the decisions that an evaluation uses: one pass over the units for each pass of the model.
struct RewardModelFitter: DecisionProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var fit: CrossFitting
    var target: TargetProbabilities?
    var features: DecisionFeatures?
    var vector = FeatureVector()
    var predictor: RewardPredictor
    var modelled: [Double] = []
    var lists = ChoiceLists()
  }

  let source: EvaluationSource
  let attribution: Attribution
  let needs: UnitNeeds
  /// The features; nil if the model uses none.
  let features: DecisionFeatures?
  /// The fit at the beginning of the pass.
  var fit: CrossFitting
  /// The target policy whose probabilities weigh the decisions; nil for equal weights.
  let policy: (any TargetPolicy)?
  let use: RewardModelUse
  /// The model that the target policy asks; nil if it asks none.
  let shared: CrossFittedModels?
  var part = DecisionPart.all

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, attribution, part), fit: fit.emptyPart,
      target: policy.map { TargetProbabilities($0, source) }, features: features,
      predictor: RewardPredictor(source, features))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, source.context.situations)
    apply(state.rows.rows, of: history[0].unit, to: &state)
  }

  func apply(_ rows: [CreditedDecision], of unit: UInt32, to state: inout State) {
    let hash = source.hashes[unit]
    for row in rows where part.contains(row.time) { add(row, hash, to: &state) }
  }

  var distinguishesUnits: Bool { fit.folds > 1 || part != .all }

  func apply(_ single: SingleUnit, to state: inout State) {
    guard part.contains(single.row.time) else { return }
    add(single.row, source.hashes[single.unit], times: single.times, to: &state)
  }

  private func add(
    _ row: CreditedDecision, _ unit: UInt64, times: Int = 1, to state: inout State
  ) {
    state.features?.write(row.variant, row, into: &state.vector)
    let reward = RewardRow(
      slot: source.ranks[Int(row.place)], variant: source.numbers.number(of: row.variant),
      reward: row.reward, weight: weight(of: row, unit, &state))
    state.fit.add(reward, state.vector, unit: unit, times: times)
  }

  /// Returns the weight of a decision in the fit.
  private func weight(of row: CreditedDecision, _ unit: UInt64, _ state: inout State) -> Double {
    guard state.target != nil else { return 1 }
    let variants = source.choices(of: row)
    let fold = shared?.index(for: unit) ?? 0
    if policy?.needsModel == true, let shared {
      state.predictor.predict(
        variants, row, shared.models[fold], number: fold, into: &state.modelled)
    }
    let choices = state.target?.choices(of: row, modelled: state.modelled, model: fold)
    let chosen = state.lists.chosen(of: row, among: variants, source)
    return use.fitWeight(
      target: choices?.probability(ofChosen: chosen) ?? 0, propensity: row.propensity)
  }

  func merge(_ other: State, into state: inout State) { state.fit.merge(other.fit) }

  func write(_ state: State, to writer: inout StateWriter) throws(StateError) {
    try state.fit.write(to: &writer)
  }

  func read(_ reader: inout StateReader, _ codes: StateCodes) throws(StateError) -> State {
    var state = makeState(codes.context)
    try state.fit.read(from: &reader)
    return state
  }

  func result(of state: State, _ context: UnitContext) -> CrossFitting {
    var fit = fit
    fit.merge(state.fit)
    return fit
  }
}
