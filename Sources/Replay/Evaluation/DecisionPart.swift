/// The decisions of a range of time, the start included and the end not; rewards are those of any time.
package struct DecisionPart: Sendable, Equatable {
  /// The first time, in microseconds.
  package var start = Int64.min
  /// The time after the last, in microseconds; nil for no end.
  package var end: Int64?

  package init(start: Int64 = .min, end: Int64? = nil) { (self.start, self.end) = (start, end) }

  /// All decisions.
  package static let all = DecisionPart()

  /// Returns whether a time is in the range.
  @inline(__always)
  package func contains(_ time: Int64) -> Bool { time >= start && end.map { time < $0 } ?? true }
}

/// Collects the times of the decisions that an evaluation uses.
package struct DecisionTimes: UngroupedProjector {
  package struct State: Sendable {
    var rows: EvaluationRows
    var times: [Int64] = []
    let situations: SituationRegister
  }

  package let needs: UnitNeeds
  let attribution: Attribution

  package init(needs: UnitNeeds, attribution: Attribution) {
    (self.needs, self.attribution) = (needs, attribution)
  }

  package func makeState(_ context: UnitContext) -> State {
    State(rows: EvaluationRows(context, attribution), situations: context.situations)
  }

  package func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.rows.take(history, state.situations)
    for row in state.rows.rows { state.times.append(row.time) }
  }

  package func merge(_ other: State, into state: inout State) { state.times += other.times }

  /// The times in ascending order.
  package func result(of state: State, _ context: UnitContext) -> [Int64] { state.times.sorted() }
}
