public import Specifications

/// Computes visits: sequences of events of a unit without a gap longer than the inactivity timeout. Events of every
/// kind count, including those that only show that the unit was present; a confirmed provisional decision counts at
/// the time of its confirmation.
///
/// A variant has the visits of its units from their first exposure on: earlier activity cannot be caused by it, and
/// the visit in which they were exposed begins with the exposure. A visit has a goal if it contains a goal of the
/// experiment (overall: of any) that was not refused, or a conversion that is not negative. The state holds counts and
/// exact sums, so a unit's contribution can be subtracted again.
public struct VisitProjector: UnitProjector {
  /// The accumulated state.
  public struct State: StateFields {
    var table = SegmentTable(VisitTally())
    var overall = VisitTally()
    var ledger = AssignmentLedger()
    var assignments: Assignments

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&table, other.table)
      visit(&overall, other.overall)
      visit(&ledger, other.ledger)
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
    State(assignments: Assignments(context))
  }

  /// Adds the visits of a unit.
  ///
  /// - Complexity: O(events) for each arm that it is assigned to.
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

  func add(
    _ history: Span<UnitEvent>, from start: Int, at place: UInt32?, _ places: Places,
    _ tally: inout VisitTally
  ) {
    var visits = UnitVisits()
    take(start..<history.count, of: history, at: place, places, &visits)
    visits.add(to: &tally)
  }

  /// Adds events of a unit to its visits.
  func take(
    _ range: Range<Int>, of history: Span<UnitEvent>, at place: UInt32?, _ places: Places,
    _ visits: inout UnitVisits
  ) {
    for index in range where !history[index].kind.isNote {
      let event = history[index]
      var isGoal = event.isConverting
      if isGoal, let place {
        isGoal = places.isConverting(eventAt: index, of: history, at: place)
      }
      visits.take(event, isGoal: isGoal, inactivity)
    }
  }

  /// Returns the visits of every segment with an assigned unit, and of all units.
  public func result(of state: State, _ context: UnitContext) -> VisitTallies {
    VisitTallies(
      segments: state.table.segments(context).filter { $0.value.units > 0 },
      overall: state.overall, ledger: state.ledger)
  }
}
