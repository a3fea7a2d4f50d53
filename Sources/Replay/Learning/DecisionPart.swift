/// The decisions of a range of time, the start included and the end not; rewards are those of any time.
struct DecisionPart: Sendable, Equatable {
  /// The first time, in microseconds.
  var start = Int64.min
  /// The time after the last, in microseconds; nil for no end.
  var end: Int64?

  /// All decisions.
  static let all = DecisionPart()

  /// Returns whether a time is in the range.
  @inline(__always)
  func contains(_ time: Int64) -> Bool { time >= start && end.map { time < $0 } ?? true }
}

/// Collects the times of the decisions that an evaluation uses.
struct DecisionTimes: UngroupedProjector {
  struct State: Sendable {
    var rows: EvaluationRows
    var times: [Int64] = []
    let situations: SituationRegister
  }

  let needs: UnitNeeds
  let attribution: Attribution

  func makeState(_ context: UnitContext) -> State {
    State(rows: EvaluationRows(context, attribution), situations: context.situations)
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, state.situations)
    for row in state.rows.rows { state.times.append(row.time) }
  }

  func merge(_ other: State, into state: inout State) { state.times += other.times }

  /// The times in ascending order.
  func result(of state: State, _ context: UnitContext) -> [Int64] { state.times.sorted() }
}
