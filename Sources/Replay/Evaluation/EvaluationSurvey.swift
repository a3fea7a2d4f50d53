/// Counts the decisions that an evaluation uses: the first pass over the units.
struct EvaluationSurvey: UnitProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var variants = PlaceVariants()
    var logging = LoggingTally()
    let situations: SituationRegister
    let probabilities: ProbabilityRegister
    /// The decisions since the kinds were last settled.
    var kinds = DecisionKinds()
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
      if state.kinds.isFull { state.settle() }
      _ = state.kinds.count(row)
    }
    state.logging.add(timesOf: state.rows.rows)
  }

  func merge(_ other: State, into state: inout State) {
    var other = other
    other.settle()
    state.rows.merge(other.rows)
    state.variants.merge(other.variants)
    state.logging.merge(other.logging)
  }

  func result(of state: State, _ context: UnitContext) -> (
    variants: PlaceVariants, ledger: EvaluationLedger, rewards: RewardLedger,
    logging: LoggingTally
  ) {
    var state = state
    state.settle()
    state.logging.finish()
    return (state.variants, state.rows.ledger, state.rows.rewardLedger, state.logging)
  }
}

extension EvaluationSurvey.State {
  /// Adds the counts of all kinds of decisions to the tallies, and forgets the kinds.
  mutating func settle() {
    for kind in kinds.counts {
      variants.insert(kind.row.variant, at: kind.row.place)
      logging.add(kind.row, choices: choices(of: kind.row), times: kind.decisions)
    }
    kinds.removeAll()
  }

  /// Returns the number of choices of a decision, those with a probability above zero if probabilities were logged; nil
  /// if the choices were not logged.
  private func choices(of row: EvaluationRow) -> Int? {
    if let index = row.probabilities, index != ProbabilityRegister.wrong {
      return probabilities.probabilities(of: index).count { $0 > 0 }
    }
    let list = situations.list(of: row.situation)
    return list == 0 ? nil : situations.lists[list].count
  }
}
