internal import Statistics

/// Keeps every counted decision with its reward and its probabilities: what is estimated from them depends on their order, so
/// nothing can be added up before all are there.
///
/// The state takes 32 bytes for each counted decision.
struct AdaptiveProjector: UnitProjector {
  /// A counted decision.
  struct Row: Sendable {
    /// In place of an index where no probabilities were logged.
    static let unknown = UInt32.max

    var time: Int64
    var reward: Double
    var unit: UInt32
    /// Where the decision stands in the history of its unit.
    var index: UInt32
    /// Of the state: its arm and value of the dimension.
    var segment: UInt32
    /// The index of its probabilities in the context.
    var probabilities: UInt32
  }

  /// What has been seen.
  struct State: Sendable {
    var units: RewardedUnits
    var rows: [Row] = []
    /// Arms and values of the dimension; the numbers mean nothing.
    var segments = SegmentTable(0)
  }

  let attribution: Attribution

  var needs: UnitNeeds { [.decisions, .goals, .probabilities] }

  func makeState(_ context: UnitContext) -> State {
    State(units: RewardedUnits(context, attribution))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    for decision in state.units.decisions {
      let event = history[decision.index]
      let (arm, value) = state.units.table.segment(at: decision.segment)
      // Nothing stands between a decision and its probabilities.
      let before = decision.index > 0 ? history[decision.index - 1] : event
      state.rows.append(
        Row(
          time: event.time, reward: state.units.reward(of: decision), unit: event.unit,
          index: UInt32(truncatingIfNeeded: decision.index),
          segment: UInt32(truncatingIfNeeded: state.segments.place(of: arm, value)),
          probabilities: before.kind == .probabilities ? before.subject : Row.unknown))
    }
  }

  func merge(_ other: State, into state: inout State) {
    state.units.merge(other.units)
    let segments = (0..<other.segments.count).map { segment in
      let (arm, value) = other.segments.segment(at: segment)
      return UInt32(truncatingIfNeeded: state.segments.place(of: arm, value))
    }
    state.rows.reserveCapacity(state.rows.count + other.rows.count)
    for var row in other.rows {
      row.segment = segments[Int(row.segment)]
      state.rows.append(row)
    }
  }

  func result(of state: State, _ context: UnitContext) -> State { state }
}
