internal import Bandits
internal import Replay
internal import Specifications

/// Surveys the features of the chosen variants of the decisions that an evaluation uses: one pass over the units.
struct FeatureSurveyor: DecisionProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var cells: DecisionCells
    var survey: FeatureSurvey
  }

  let source: EvaluationSource
  let specification: FeatureSpecification
  let needs: UnitNeeds
  let attribution: Attribution
  var part = DecisionPart.all

  func makeState(_ context: UnitContext) -> State {
    State(
      rows: EvaluationRows(context, attribution, part),
      cells: DecisionCells(
        specification, attributes: source.attributes, variantFeatures: source.variantFeatures),
      survey: FeatureSurvey(specification))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, source.context.situations)
    apply(state.rows.rows, of: history[0].unit, to: &state)
  }

  var distinguishesUnits: Bool { part != .all }

  func apply(_ single: SingleUnit, to state: inout State) {
    for _ in 0..<single.times { apply([single.row], of: single.unit, to: &state) }
  }

  func apply(_ rows: [CreditedDecision], of unit: UInt32, to state: inout State) {
    for row in rows where part.contains(row.time) {
      state.cells.fill(row.variant, at: row.place, in: row.situation, source) {
        state.survey.cell($0, of: $1)
      }
      state.survey.add(state.cells.row)
    }
  }

  func merge(_ other: State, into state: inout State) { state.survey.merge(other.survey) }

  func write(_ state: State, to writer: inout StateWriter) { state.survey.write(to: &writer) }

  func read(_ reader: inout StateReader, _ codes: StateCodes) throws(StateError) -> State {
    var state = makeState(codes.context)
    state.survey = try FeatureSurvey(from: &reader, of: specification)
    return state
  }

  func result(of state: State, _ context: UnitContext) -> FeatureSurvey { state.survey }
}
