internal import Replay
internal import Specifications

/// Counts the choices of each logging policy in each kind of situation: one pass over the units.
struct ShareSurvey: DecisionProjector {
  struct State: StateFields {
    var rows: EvaluationRows
    var table: ShareTable

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&table, other.table)
    }
  }

  let source: EvaluationSource
  let needs: UnitNeeds
  let attribution: Attribution
  /// The attributes of the context that distinguish situations.
  let attributes: [String]

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, attribution),
      table: ShareTable(
        attributes: attributes.compactMap { source.attributes.firstIndex(ofName: $0) }))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, source.context.situations)
    apply(state.rows.rows, of: history[0].unit, to: &state)
  }

  func apply(_ rows: [CreditedDecision], of unit: UInt32, to state: inout State) {
    for row in rows {
      state.table.add(row, source.probabilities(of: row), source.context.situations)
    }
  }

  func apply(_ single: SingleUnit, to state: inout State) {
    state.table.add(
      single.row, source.probabilities(of: single.row), source.context.situations,
      times: single.times)
  }

  func result(of state: State, _ context: UnitContext) -> ShareTable { state.table }

  var bytesPerGroup: Int { 400 }

  var bytesPerRow: Int { 0 }

  func groupCount(of state: State) -> Int { state.table.count }

  var groupKind: GroupLimitError.Kind { .situations }
}

extension EvaluationSource {
  /// Returns the probabilities that a decision gave its choices; nil if they were not logged or cannot be right.
  func probabilities(of row: CreditedDecision) -> LoggedProbabilities? {
    guard let index = row.probabilities, index != ProbabilityRegister.wrong else { return nil }
    let register = context.probabilities
    return LoggedProbabilities(
      variants: register.lists[register.list(of: index)],
      probabilities: register.probabilities(of: index))
  }
}
