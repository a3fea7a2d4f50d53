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
  public typealias State = AssignedState<FunnelTally>

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
    State(FunnelTally(steps: steps.count), context, Attribution(crossing: crossing))
  }

  /// Adds a unit to the arms that it is assigned to.
  ///
  /// - Complexity: O(events) for each of them; O(events × steps) unless ordered.
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    let (places, latest) = (state.units.places, state.units.latest)
    state.add(history) { assignment, tally in
      tally.units += 1
      if let window, UnitEvent.span(from: assignment.time, to: latest) < window {
        tally.unitsInProgress += 1
      }
      climb(history, assignment, places, &tally)
    }
  }

  /// Adds the steps that a unit reached after the first exposure.
  private func climb(
    _ history: Span<UnitEvent>, _ assignment: AssignedUnits.Assignment, _ places: Places,
    _ tally: inout FunnelTally
  ) {
    var (last, time) = (assignment.index, assignment.time)
    for (step, goal) in steps.enumerated() {
      guard let index = find(goal, in: history, after: last, assignment, places) else {
        if order == .each { continue } else { return }
      }
      let moment = max(time, history[index].time)
      tally.times[step].append(UnitEvent.span(from: time, to: moment))
      if order == .ordered { last = index }
      if order != .each { time = moment }
    }
  }

  /// Returns the index of the first event after another one that is a step, within the window.
  private func find(
    _ step: UInt32?, in history: Span<UnitEvent>, after last: Int,
    _ assignment: AssignedUnits.Assignment, _ places: Places
  ) -> Int? {
    guard let step else { return nil }
    for index in last + 1..<history.count {
      guard isOpen(history[index], assignment) else { return nil }
      guard history[index].subject == step,
        places.isConverting(eventAt: index, of: history, at: assignment.place)
      else { continue }
      return index
    }
    return nil
  }

  private func isOpen(_ event: UnitEvent, _ assignment: AssignedUnits.Assignment) -> Bool {
    window.map { event.elapsed(since: assignment.time) <= $0 } ?? true
  }

  /// Returns the funnel of every segment with an assigned unit.
  public func result(of state: State, _ context: UnitContext) -> FunnelTallies {
    FunnelTallies(segments: state.table.segments(context), ledger: state.ledger)
  }
}
