internal import Specifications

/// Collects every counted decision with its reward and its probabilities. Adaptive estimates depend on the order of
/// the decisions, so nothing can be summed before all of them are read.
///
/// The state takes 32 bytes per counted decision.
struct AdaptiveProjector: UngroupedProjector {
  /// A counted decision.
  struct Row: Sendable {
    /// The index of a decision without logged probabilities.
    static let unknown = UInt32.max

    var time: Int64
    var reward: Double
    var unit: UInt32
    /// The index of the decision in the history of its unit.
    var index: UInt32
    /// The index of its arm and value of the dimension in the state.
    var segment: UInt32
    /// The index of its probabilities in the context.
    var probabilities: UInt32
  }

  struct State: Sendable {
    var units: RewardedUnits
    var rows: [Row] = []
    /// The arms and values of the dimension; the stored numbers are unused.
    var segments = SegmentTable(0)
  }

  let attribution: Attribution

  var needs: UnitNeeds { attribution.metric.needs.union([.probabilities, .hashes]) }

  func makeState(_ context: UnitContext) -> State {
    State(units: RewardedUnits(context, attribution))
  }

  func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.units.take(history)
    for decision in state.units.decisions {
      let event = history[decision.index]
      let (arm, value) = state.units.table.segment(at: decision.segment)
      // A decision's probabilities come directly before it.
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
