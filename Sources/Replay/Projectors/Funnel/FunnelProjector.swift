public import Specifications

/// Counts the units of each variant that reached each step of a funnel. A step is a goal of the experiment that was
/// not refused, or a conversion that is not negative. The first exposure is step 0.
///
/// Ordered steps: each is the first event of its goal that follows the previous step in the history, so that among
/// goals and conversions of the same time the position in the log decides. A goal that names a point or slot is a step
/// only there. Steps in any order: a unit reached a step if an event of it and of every step before it follows the
/// exposure; the time of a step is then the latest of theirs. Steps each on its own: a unit reached a step if an event
/// of it follows the exposure, and its time is measured from there.
///
/// The state takes 8 bytes per unit and step reached, so that the median time is exact. A unit's contribution can be
/// subtracted again: counts, and times as a multiset.
public struct FunnelProjector: UnitProjector {
  /// The order in which steps must be reached.
  public enum Order: String, Sendable, CaseIterable {
    /// One after the other.
    case ordered
    /// In any order.
    case any
    /// Each on its own: a step needs no other one.
    case each
  }

  /// The accumulated state.
  public struct State: StateFields {
    var table: SegmentTable<FunnelTally>
    var ledger = AssignmentLedger()
    var assignments: Assignments
    let latest: Int64
    /// Unless ordered: the time at which the current unit first did each step.
    var firsts: [Int64?]

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&table, other.table)
      visit(&ledger, other.ledger)
    }
  }

  /// The codes of the goals; nil for one that the log does not have.
  public let steps: [UInt32?]
  /// The window after the first exposure within which steps count, in microseconds, the end included; nil for
  /// unlimited.
  public let window: Int64?
  /// The order in which steps must be reached.
  public let order: Order
  /// How units exposed to several variants are handled.
  public let crossing: Attribution.Crossing

  /// Creates a funnel.
  ///
  /// - Parameters:
  ///   - steps: The codes of the goals; nil for one that the log does not have.
  ///   - window: The window after the first exposure within which steps count, in microseconds; nil for unlimited.
  ///   - order: The order in which steps must be reached.
  ///   - crossing: How units exposed to several variants are handled.
  public init(
    steps: [UInt32?], window: Int64? = nil, order: Order = .ordered,
    crossing: Attribution.Crossing = .drop
  ) {
    self.steps = steps
    self.window = window
    self.order = order
    self.crossing = crossing
  }

  /// All kinds of events, because the end of the data must not depend on what else is computed.
  public var needs: UnitNeeds { [.decisions, .goals, .conversions, .activity] }

  public func makeState(_ context: UnitContext) -> State {
    State(
      table: SegmentTable(FunnelTally(steps: steps.count)), assignments: Assignments(context),
      latest: context.latest, firsts: Array(repeating: nil, count: steps.count))
  }

  /// Adds a unit to the arms that it is assigned to.
  ///
  /// - Complexity: O(events) for each of them; O(events × steps) unless ordered.
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.assignments.load(history, &state.ledger)
    for assignment in state.assignments.kept(crossing) {
      let place = state.table.place(of: assignment.arm, assignment.value)
      state.table.tallies[place].units += 1
      if let window, UnitEvent.span(from: assignment.time, to: state.latest) < window {
        state.table.tallies[place].unitsInProgress += 1
      }
      switch order {
      case .ordered:
        walk(history, assignment, state.assignments.places, &state.table.tallies[place])
      case .any:
        findFirsts(history, assignment, state.assignments.places, &state.firsts)
        climb(state.firsts, since: assignment.time, &state.table.tallies[place])
      case .each:
        findFirsts(history, assignment, state.assignments.places, &state.firsts)
        for (step, first) in state.firsts.enumerated() {
          guard let first else { continue }
          let time = UnitEvent.span(from: assignment.time, to: first)
          state.table.tallies[place].times[step].append(time)
        }
      }
    }
  }

  private func walk(
    _ history: Span<UnitEvent>, _ assignment: Assignments.Assignment, _ places: Places,
    _ tally: inout FunnelTally
  ) {
    var step = 0
    var last = assignment.time
    for index in assignment.index + 1..<history.count {
      let event = history[index]
      guard step < steps.count, isOpen(event, assignment) else { break }
      guard event.subject == steps[step],
        places.isConverting(eventAt: index, of: history, at: assignment.place)
      else { continue }
      tally.times[step].append(event.elapsed(since: last))
      last = event.time
      step += 1
    }
  }

  private func findFirsts(
    _ history: Span<UnitEvent>, _ assignment: Assignments.Assignment, _ places: Places,
    _ firsts: inout [Int64?]
  ) {
    for step in steps.indices { firsts[step] = nil }
    for index in assignment.index + 1..<history.count {
      let event = history[index]
      guard isOpen(event, assignment) else { break }
      guard places.isConverting(eventAt: index, of: history, at: assignment.place) else { continue }
      for step in steps.indices where firsts[step] == nil && event.subject == steps[step] {
        firsts[step] = event.time
      }
    }
  }

  private func climb(_ firsts: [Int64?], since start: Int64, _ tally: inout FunnelTally) {
    var last = start
    for step in steps.indices {
      guard let first = firsts[step] else { break }
      let moment = max(last, first)
      tally.times[step].append(UnitEvent.span(from: last, to: moment))
      last = moment
    }
  }

  private func isOpen(_ event: UnitEvent, _ assignment: Assignments.Assignment) -> Bool {
    window.map { event.elapsed(since: assignment.time) <= $0 } ?? true
  }

  /// Returns the funnel of every segment with an assigned unit.
  public func result(of state: State, _ context: UnitContext) -> FunnelTallies {
    FunnelTallies(segments: state.table.segments(context), ledger: state.ledger)
  }
}
