public import Specifications

/// Computes visits: sequences of events of a unit without a gap longer than the inactivity timeout. Events of every
/// kind count, including those that only show that the unit was present; a confirmed provisional decision counts at
/// the time of its confirmation.
///
/// A variant has the visits of its units from their first exposure on: earlier activity cannot be caused by it, and
/// the visit in which they were exposed begins with the exposure. A visit has a goal if it contains a goal of the
/// experiment (overall: of any) that was not refused, or a conversion that is not negative. The state holds counts and
/// exact sums, so a unit's contribution can be subtracted again.
public struct VisitProjector: RevisableUnitProjector {
  /// The accumulated state.
  public struct State: StateFields {
    var assigned: AssignedState<VisitTally>
    var overall = VisitTally()

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&assigned.table, other.assigned.table)
      visit(&overall, other.overall)
      visit(&assigned.ledger, other.assigned.ledger)
    }
  }

  /// The default inactivity timeout, 30 minutes in microseconds.
  public static let standardInactivity: Int64 = 1_800_000_000

  /// The inactivity timeout, in microseconds: the longest gap within a visit.
  public let inactivity: Int64
  /// How units exposed to several variants are handled.
  public let crossing: Attribution.Crossing

  /// Creates a projector with an inactivity timeout in microseconds, by default 30 minutes.
  public init(
    inactivity: Int64 = VisitProjector.standardInactivity, crossing: Attribution.Crossing = .drop
  ) {
    self.inactivity = inactivity
    self.crossing = crossing
  }

  /// All kinds of events.
  public var needs: UnitNeeds { [.decisions, .goals, .conversions, .activity] }

  public func makeState(_ context: UnitContext) -> State {
    State(assigned: AssignedState(VisitTally(), context, Attribution(crossing: crossing)))
  }

  /// Adds the visits of a unit.
  ///
  /// - Complexity: O(events) for each arm that it is assigned to.
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    let places = state.assigned.units.places
    visits(history, history.indices, at: nil, places).add(to: &state.overall)
    state.assigned.add(history) { assignment, tally in
      visits(history, assignment.index..<history.count, at: assignment.place, places)
        .add(to: &tally)
    }
  }

  /// Returns the visits of a unit in a range of its events, which may go on with earlier ones; at a place, if any, only
  /// its goals are goals.
  private func visits(
    _ history: Span<UnitEvent>, _ range: Range<Int>, at place: UInt32?, _ places: Places,
    after earlier: UnitVisits = UnitVisits()
  ) -> UnitVisits {
    var visits = earlier
    for index in range where !history[index].kind.isNote {
      let event = history[index]
      let isGoal =
        place.map { places.isConverting(eventAt: index, of: history, at: $0) } ?? event.isConverting
      visits.take(event, isGoal: isGoal, inactivity)
    }
    return visits
  }

  /// Adds the visits of all events, and removes those of the earlier history.
  public func extend(
    _ history: Span<UnitEvent>, from start: Int, in added: inout State, _ removed: inout State
  ) {
    guard added.assigned.units.load(history, from: start, &added.assigned.ledger) else {
      return replace(history.extracting(..<start), by: history, in: &added, &removed)
    }
    let units = added.assigned.units
    func revise(from first: Int, at place: UInt32?, _ all: inout VisitTally, _ old: inout VisitTally) {
      let middle = max(first, start)
      let earlier = visits(history, first..<middle, at: place, units.places)
      earlier.add(to: &old)
      visits(history, middle..<history.count, at: place, units.places, after: earlier).add(to: &all)
    }
    revise(from: 0, at: nil, &added.overall, &removed.overall)
    for assignment in units.counting {
      let place = added.assigned.table.place(of: assignment.arm, assignment.value)
      let old = removed.assigned.table.place(of: assignment.arm, assignment.value)
      revise(
        from: assignment.index, at: assignment.place, &added.assigned.table.tallies[place],
        &removed.assigned.table.tallies[old])
    }
  }

  /// Returns the visits of every segment with an assigned unit, and of all units.
  public func result(of state: State, _ context: UnitContext) -> VisitTallies {
    VisitTallies(
      segments: state.assigned.table.segments(context).filter { $0.value.units > 0 },
      overall: state.overall, ledger: state.assigned.ledger)
  }
}
