internal import Statistics

/// Visits: the events of a unit with no longer gap between them than an inactivity. Events of every kind count, those
/// that say that the unit was there and nothing else too; a provisional decision that was confirmed stands where it was
/// confirmed.
///
/// A variant has the visits of its units since their first exposure: what they did before cannot come from it, and the
/// visit in which they were exposed begins with the exposure. Goals that make a visit one with a goal are those of the
/// experiment (overall: of any), unless they were refused, and conversions that take none back. The state is of counts and
/// exact sums: what a unit added can be taken out again.
public struct VisitProjector: UnitProjector {
  /// What has been seen.
  public struct State: Sendable {
    var table = SegmentTable(VisitTally())
    var overall = VisitTally()
    var ledger = AssignmentLedger()
    var assignments: Assignments
  }

  /// 30 minutes in microseconds.
  public static let standardInactivity: Int64 = 1_800_000_000

  /// The longest gap within a visit, in microseconds.
  public let inactivity: Int64
  /// What becomes of units in several variants.
  public let crossing: Attribution.Crossing

  /// Visits that end with an inactivity in microseconds, by default 30 minutes.
  public init(
    inactivity: Int64 = VisitProjector.standardInactivity, crossing: Attribution.Crossing = .drop
  ) {
    self.inactivity = inactivity
    self.crossing = crossing
  }

  /// All kinds of events.
  public var needs: UnitNeeds { [.decisions, .goals, .conversions, .activity] }

  /// Nothing seen.
  public func makeState(_ context: UnitContext) -> State {
    State(assignments: Assignments(context))
  }

  /// Adds the visits of a unit.
  ///
  /// - Complexity: O(events) for each arm to which it belongs.
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    add(history, from: 0, at: nil, state.assignments.places, &state.overall)
    state.assignments.load(history, &state.ledger)
    for assignment in state.assignments.kept(crossing) {
      let place = state.table.place(of: assignment.arm, assignment.value)
      add(
        history, from: assignment.index, at: assignment.place, state.assignments.places,
        &state.table.tallies[place])
    }
  }

  private func add(
    _ history: Span<UnitEvent>, from start: Int, at place: UInt32?, _ places: Places,
    _ tally: inout VisitTally
  ) {
    var (visits, events) = (0, 0)
    var visit = Visit()
    for index in start..<history.count where !history[index].kind.isNote {
      let event = history[index]
      if visit.events > 0, event.elapsed(since: visit.end) > inactivity {
        visit.finish(&tally)
        visit = Visit()
      }
      if visit.events == 0 {
        visit.start = event.time
        visits += 1
      }
      visit.end = event.time
      visit.events += 1
      let isGoal =
        place.map { places.isConverting(eventAt: index, of: history, at: $0) }
        ?? event.isConverting
      visit.hasGoal = visit.hasGoal || isGoal
      events += 1
    }
    guard visits > 0 else { return }
    visit.finish(&tally)
    tally.perUnit.add(Double(events), over: Double(visits))
  }

  private struct Visit {
    var start: Int64 = 0
    var end: Int64 = 0
    var events = 0
    var hasGoal = false

    func finish(_ tally: inout VisitTally) {
      tally.duration += Int128(end) - Int128(start)
      tally.singles += events == 1 ? 1 : 0
      tally.withGoal += hasGoal ? 1 : 0
    }
  }

  /// Adds the visits of other units.
  public func merge(_ other: State, into state: inout State) {
    state.table.merge(other.table) { $1.merge($0) }
    state.overall.merge(other.overall)
    state.ledger.merge(other.ledger)
  }

  /// The visits of every segment with an assigned unit, and of all units.
  public func result(of state: State, _ context: UnitContext) -> VisitTallies {
    VisitTallies(
      segments: state.table.segments(context).filter { $0.value.units > 0 },
      overall: state.overall, ledger: state.ledger)
  }
}
