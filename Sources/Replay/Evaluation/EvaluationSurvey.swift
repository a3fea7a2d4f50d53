/// Counts the decisions that an evaluation uses: the first pass over the units.
struct EvaluationSurvey: UnitProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var variants = PlaceVariants()
    let situations: SituationRegister
  }

  let needs: UnitNeeds
  let attribution: Attribution

  func makeState(_ context: UnitContext) -> State {
    State(rows: EvaluationRows(context, attribution), situations: context.situations)
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, state.situations)
    for row in state.rows.rows { state.variants.insert(row.variant, at: row.place) }
  }

  func merge(_ other: State, into state: inout State) {
    state.rows.merge(other.rows)
    state.variants.merge(other.variants)
  }

  func result(of state: State, _ context: UnitContext) -> (
    variants: PlaceVariants, ledger: EvaluationLedger, rewards: RewardLedger
  ) {
    (state.variants, state.rows.ledger, state.rows.rewardLedger)
  }
}
