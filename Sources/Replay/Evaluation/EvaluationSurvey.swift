/// Counts the decisions that an evaluation uses: the first pass over the units.
struct EvaluationSurvey: UnitProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var variants = PlaceVariants()
    var logging = LoggingTally()
    let situations: SituationRegister
    let probabilities: ProbabilityRegister
  }

  let needs: UnitNeeds
  let attribution: Attribution

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, attribution), situations: context.situations,
      probabilities: context.probabilities)
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, state.situations)
    for row in state.rows.rows {
      state.variants.insert(row.variant, at: row.place)
      state.logging.add(row, choices: Self.choices(of: row, state))
    }
  }

  /// Returns the number of choices of a decision, those with a probability above zero if probabilities were logged; nil
  /// if the choices were not logged.
  private static func choices(of row: EvaluationRow, _ state: State) -> Int? {
    if let index = row.probabilities, index != ProbabilityRegister.wrong {
      return state.probabilities.probabilities(of: index).count { $0 > 0 }
    }
    let list = state.situations.list(of: row.situation)
    return list == 0 ? nil : state.situations.lists[list].count
  }

  func merge(_ other: State, into state: inout State) {
    state.rows.merge(other.rows)
    state.variants.merge(other.variants)
    state.logging.merge(other.logging)
  }

  func result(of state: State, _ context: UnitContext) -> (
    variants: PlaceVariants, ledger: EvaluationLedger, rewards: RewardLedger,
    logging: LoggingTally
  ) {
    var logging = state.logging
    logging.finish()
    return (state.variants, state.rows.ledger, state.rows.rewardLedger, logging)
  }
}
