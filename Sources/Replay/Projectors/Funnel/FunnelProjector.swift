/// How many units of each variant came how far on a way of steps, each a goal of the experiment that was not refused or
/// a conversion that takes none back. The first exposure is step 0.
///
/// Steps in order: each is the first event of its goal that follows the step before in the history, so that among goals and
/// conversions of the same time the position in the log decides. A goal that names a point or slot is a step only there. Steps in any order: a unit reached a step when an event of it and
/// of every step before it follows the exposure; the moment of a step is then the last of theirs.
///
/// The state takes 8 bytes for each unit and step reached, so that the median time is exact. What a unit added can be
/// taken out again: counts, and times as a multiset.
public struct FunnelProjector: UnitProjector {
  /// In which order steps are taken.
  public enum Order: String, Sendable, CaseIterable {
    /// One after the other.
    case ordered
    /// In any order.
    case any
  }

  /// What has been seen.
  public struct State: Sendable {
    var table: SegmentTable<FunnelTally>
    var ledger = AssignmentLedger()
    var assignments: Assignments
    let latest: Int64
    /// Under any order, when the unit at hand did each step first.
    var firsts: [Int64?]
  }

  /// The goals, by their codes; nil for one that the log does not have.
  public let steps: [UInt32?]
  /// How long after the first exposure steps count, in microseconds, the end included; nil for ever.
  public let window: Int64?
  /// In which order steps are taken.
  public let order: Order
  /// What becomes of units in several variants.
  public let crossing: Attribution.Crossing

  /// A funnel.
  ///
  /// - Parameters:
  ///   - steps: Codes of the goals; nil for one that the log does not have.
  ///   - window: How long after the first exposure steps count, in microseconds; nil for ever.
  ///   - order: In which order steps are taken.
  ///   - crossing: What becomes of units in several variants.
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

  /// Nothing seen.
  public func makeState(_ context: UnitContext) -> State {
    State(
      table: SegmentTable(FunnelTally(steps: steps.count)), assignments: Assignments(context),
      latest: context.latest, firsts: Array(repeating: nil, count: steps.count))
  }

  /// Adds a unit to the arms to which it belongs.
  ///
  /// - Complexity: O(events) for each of them; O(events × steps) under any order.
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

  /// Adds other units.
  public func merge(_ other: State, into state: inout State) {
    state.table.merge(other.table) { $1.merge($0) }
    state.ledger.merge(other.ledger)
  }

  /// The funnel of every segment with an assigned unit.
  public func result(of state: State, _ context: UnitContext) -> FunnelTallies {
    FunnelTallies(segments: state.table.segments(context), ledger: state.ledger)
  }
}
