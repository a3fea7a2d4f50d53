public import Specifications

/// Computes rewards by variant: goals are credited to the counted decisions of their unit and experiment, for each
/// point and slot of the experiment, following an ``Attribution``.
///
/// Times are event times; at equal times decisions come before goals, and then the position in the log decides. A log
/// therefore gives the same rewards whether or not its events came late. A confirmed decision counts from its own time
/// on; a provisional one from its `decisionConfirmed` on. Repeated and excluded decisions never count. A goal without
/// a value counts as 1; a refused goal is never credited. A goal that names a point or slot is credited only there. A
/// limit applies per unit, place and goal: the first ones that are credited there.
///
/// The reward of a decision is the sum of its goals rounded once, and all sums over decisions are exact, so results
/// depend neither on the order of the log nor on the number of threads. The state takes 300 bytes for each arm and
/// value of the dimension, whatever the number of units.
public struct RewardProjector: RevisableUnitProjector {
  /// The accumulated state.
  public struct State: StateFields {
    var table = SegmentTable(RewardTally())
    var ledger = RewardLedger()
    var run: RewardRun

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&table, other.table)
      visit(&ledger, other.ledger)
    }
  }

  /// How goals are credited. Its handling of units exposed to several variants does not apply to decisions.
  public var attribution: Attribution

  /// Creates a projector, which by default credits the latest decision, without a window.
  public init(_ attribution: Attribution = Attribution()) {
    self.attribution = attribution
  }

  /// Whether only goals are credited, within their experiment.
  public var isDividedByExperiments: Bool { !attribution.metric.signal.readsConversions }

  /// Decisions, and the goals or conversions of the metric.
  public var needs: UnitNeeds { attribution.metric.needs }

  public func makeState(_ context: UnitContext) -> State {
    State(run: RewardRun(context.arms, attribution))
  }

  /// Credits the goals of a unit.
  ///
  /// - Complexity: O(events × places of the unit) for rule `last` without a delay; otherwise O(goals × decisions)
  ///   within an experiment.
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.run.take(history, &state.table, &state.ledger)
  }

  /// Returns the rewards of every segment with a counted decision, and the ledger.
  public func result(of state: State, _ context: UnitContext) -> RewardTallies {
    var result = RewardTallies(ledger: state.ledger)
    result.segments.reserveCapacity(state.table.count)
    for (place, tally) in state.table.tallies.enumerated() where tally.decisions > 0 {
      let (arm, value) = state.table.segment(at: place)
      let segment = Segment(arm: context.arms[Int(arm)], value: context.values[Int(value)])
      result.segments[segment] = tally
    }
    return result
  }
}
