internal import Bandits
internal import EventLog
internal import Statistics

/// Fits a reward model to the decisions that an evaluation uses: one pass over the units for each pass of the model.
struct RewardModelFitter: UnitProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var fit: CrossFitting
    var target: TargetProbabilities?
  }

  let source: EvaluationSource
  let attribution: Attribution
  let needs: UnitNeeds
  /// The fit at the beginning of the pass.
  let fit: CrossFitting
  /// The target policy whose probabilities weigh the decisions; nil for equal weights.
  let policy: (any TargetPolicy)?
  let use: RewardModelUse

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, attribution), fit: fit.emptyPart,
      target: policy.map { TargetProbabilities($0, source) })
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, source.context.situations)
    let unit = source.hashes[history[0].unit]
    for row in state.rows.rows {
      var weight = 1.0
      if let choices = state.target?.choices(of: row) {
        weight = use.fitWeight(
          target: choices.probability(of: row.variant), propensity: row.propensity)
      }
      state.fit.add(
        RewardRow(
          slot: Int(row.place), variant: source.numbers.number(of: row.variant),
          reward: row.reward, weight: weight), FeatureVector(), unit: unit)
    }
  }

  func merge(_ other: State, into state: inout State) { state.fit.merge(other.fit) }

  func result(of state: State, _ context: UnitContext) -> CrossFitting {
    var fit = fit
    fit.merge(state.fit)
    return fit
  }
}
