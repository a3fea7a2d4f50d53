internal import EventLog
internal import Replay

/// The decisions that an evaluation uses, in the order of ``DecisionOrder``: by time, at equal times by the hash of the
/// unit.
///
/// Memory: 96 bytes per decision.
struct OrderedDecisions: UngroupedProjector {
  /// A decision with its unit.
  struct Entry: Sendable {
    var key: DecisionOrder.Key
    var unit: UInt32
    var row: EvaluationRow
  }

  struct State: Sendable {
    var rows: EvaluationRows
    var entries: [Entry] = []
    let order: DecisionOrder
  }

  let needs: UnitNeeds
  let attribution: Attribution
  let source: EvaluationSource

  func makeState(_ context: UnitContext) -> State {
    State(rows: EvaluationRows(context, attribution), order: DecisionOrder(context))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, source.context.situations)
    for row in state.rows.rows {
      state.entries.append(
        Entry(
          key: state.order.key(history[row.index], row.index), unit: history[row.index].unit,
          row: row))
    }
  }

  func merge(_ other: State, into state: inout State) { state.entries += other.entries }

  func result(of state: State, _ context: UnitContext) -> [Entry] {
    state.entries.sorted { $0.key < $1.key }
  }
}
