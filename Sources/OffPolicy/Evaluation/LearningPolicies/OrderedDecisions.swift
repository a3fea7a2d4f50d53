internal import EventLog
internal import Replay

/// The decisions that an evaluation uses, with their rewards, as they are collected.
struct OrderedDecisions: UngroupedProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var pile: DecisionPile
  }

  let needs: UnitNeeds
  let attribution: Attribution
  let source: EvaluationSource

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, attribution),
      pile: DecisionPile(context, .memory, grouped: false))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, source.context.situations)
    for row in state.rows.rows { state.pile.append(row) }
  }

  func merge(_ other: State, into state: inout State) { state.pile.merge(other.pile) }

  func result(of state: State, _ context: UnitContext) -> DecisionPile { state.pile }
}
