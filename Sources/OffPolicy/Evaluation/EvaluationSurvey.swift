internal import Replay
internal import Specifications

/// Counts the decisions that an evaluation uses: a part of the first pass over the units.
struct EvaluationSurvey: DecisionProjector {
  struct State: StateFields {
    var rows: EvaluationRows
    var variants = PlaceVariants()
    var logging = LoggingTally()
    let situations: SituationRegister
    let probabilities: ProbabilityRegister
    /// The decisions since the kinds were last settled.
    var kinds = DecisionKinds()
    /// The contents of the situations in other parts of the log.
    var others = SituationContents()

    mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&rows, other.rows)
      visit(&variants, other.variants)
      visit(&logging, other.logging)
      visit(&others, other.others)
    }
  }

  /// The counts.
  struct Result: Sendable {
    /// The variants that were chosen at each place.
    var variants: PlaceVariants
    /// The decisions that are used and left out.
    var ledger: EvaluationLedger
    /// The counts of credited and lost goals.
    var rewards: RewardLedger
    /// The logged propensities.
    var logging: LoggingTally
    /// The contents of the situations.
    var contents: SituationContents
  }

  let needs: UnitNeeds
  let attribution: Attribution
  /// The counts so far, if decisions are shown and not events.
  var ledgers: DecidedUnits.Ledgers?
  /// The sums of units with a single decision.
  var singleUnits: SingleSummary?

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, attribution), situations: context.situations,
      probabilities: context.probabilities)
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, state.situations)
    apply(state.rows.rows, of: history[0].unit, to: &state)
  }

  func apply(_ rows: [CreditedDecision], of unit: UInt32, to state: inout State) {
    for row in rows {
      if state.kinds.isFull() { state.settle() }
      _ = state.kinds.count(row)
    }
    state.logging.add(timesOf: rows)
  }

  func apply(_ single: SingleUnit, to state: inout State) {
    if state.kinds.isFull() { state.settle() }
    _ = state.kinds.count(single.row, times: single.times)
  }

  func merge(_ other: State, into state: inout State) {
    var other = other
    other.settle()
    state.merge(other)
  }

  func result(of state: State, _ context: UnitContext) -> Result {
    var state = state
    state.settle()
    state.logging.finish()
    var (ledger, rewards) = (state.rows.ledger, state.rows.rewardLedger)
    if let ledgers {
      ledger.merge(ledgers.ledger)
      rewards.merge(ledgers.rewards)
    }
    if let singleUnits { state.logging.add(times: singleUnits.firstTime, singleUnits.lastTime) }
    return Result(
      variants: state.variants, ledger: ledger, rewards: rewards, logging: state.logging,
      contents: state.contents)
  }

  func write(_ state: State, to writer: inout StateWriter) {
    var state = state
    state.settle()
    state.others = state.contents
    state.write(to: &writer)
  }
}

extension EvaluationSurvey.State {
  /// The contents of the situations in all parts of the log.
  var contents: SituationContents {
    var contents = others
    contents.merge(SituationContents(situations))
    return contents
  }

  /// Adds the counts of all kinds of decisions to the tallies, and forgets the kinds.
  mutating func settle() {
    let listed = kinds.counts.map { choices(of: $0.row) }
    for kind in kinds.counts { variants.insert(kind.row.variant, at: kind.row.place) }
    for weighted in kinds.weighted {
      var row = kinds.counts[weighted.kind].row
      row.propensity = weighted.propensity
      logging.add(row, choices: listed[weighted.kind], times: weighted.decisions)
    }
    kinds.removeAll()
  }

  /// Returns the number of choices of a decision, those with a probability above zero if probabilities were logged; nil
  /// if the choices were not logged.
  private func choices(of row: CreditedDecision) -> Int? {
    if let index = row.probabilities, index != ProbabilityRegister.wrong {
      return probabilities.probabilities(of: index).count { $0 > 0 }
    }
    let list = situations.list(of: row.situation)
    return list == 0 ? nil : situations.lists[list].count
  }
}
