internal import Events
public import Specifications

/// Computes the retention of units: a unit is retained on day d after its first exposure if it has an event at or
/// after first exposure + d days, and before first exposure + (d + window) days.
///
/// A unit counts for a day only if that day was over at the end of the data: units that joined yesterday say nothing
/// about the seventh day. Only events that follow the first exposure count, so that on day 0 the exposure itself is no
/// return. The state holds counts only, so a unit's contribution can be subtracted again.
public struct RetentionProjector: UnitProjector {
  /// The events that count as a return.
  public enum Signal: String, Sendable, CaseIterable {
    /// Any event of the unit.
    case any
    /// A goal of the experiment that was not refused.
    case goals
    /// A conversion that is not negative.
    case conversions
    /// A counted or repeated decision of the experiment.
    case decisions
  }

  /// The accumulated state.
  public typealias State = AssignedState<[RetentionTally]>

  /// The days after the first exposure.
  public let days: [Int]
  /// The events that count as a return.
  public let signal: Signal
  /// The length of the return window in days.
  public let windowDays: Int
  /// The end of the data in microseconds since 1970, overriding the latest event; nothing after it counts.
  public let end: Int64?
  /// How units exposed to several variants are handled.
  public let crossing: Attribution.Crossing
  /// For each day, the times after the exposure between which an event is a return.
  private let bounds: [(from: Int64, to: Int64)]

  /// Creates a projector of the retention on the given days.
  ///
  /// - Parameters:
  ///   - days: Days after the first exposure, not negative.
  ///   - signal: The events that count as a return.
  ///   - windowDays: The length of the return window in days, at least 1.
  ///   - end: The end of the data in microseconds since 1970; nil for the latest event.
  ///   - crossing: How units exposed to several variants are handled.
  public init(
    days: [Int], signal: Signal = .any, windowDays: Int = 1, end: Int64? = nil,
    crossing: Attribution.Crossing = .drop
  ) {
    self.days = days
    self.signal = signal
    self.windowDays = windowDays
    self.end = end
    self.crossing = crossing
    bounds = days.map { day in
      let from = Self.microseconds(days: day)
      return (from, max(from, Attribution.sum(from, Self.microseconds(days: windowDays))))
    }
  }

  private static func microseconds(days: Int) -> Int64 {
    let (product, isOver) = Int64(max(0, days)).multipliedReportingOverflow(by: 86_400_000_000)
    return isOver ? .max : product
  }

  /// All kinds of events, whatever the signal, because the end of the data must not depend on it.
  public var needs: UnitNeeds { [.decisions, .goals, .conversions, .activity] }

  public func makeState(_ context: UnitContext) -> State {
    State(
      Array(repeating: RetentionTally(), count: days.count), context,
      Attribution(end: Timestamp(microseconds: end ?? context.latest), crossing: crossing))
  }

  /// Adds a unit to the arms that it is assigned to.
  ///
  /// - Complexity: O(events × days) for each of them.
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    let (places, end) = (state.units.places, state.units.end)
    state.add(history) { assignment, tallies in
      let age = UnitEvent.span(from: assignment.time, to: end)
      for (day, bounds) in bounds.enumerated() {
        if bounds.to > age {
          tallies[day].tooYoung += 1
        } else {
          tallies[day].units += 1
          tallies[day].returned += isReturned(history, assignment, places, bounds) ? 1 : 0
        }
      }
    }
  }

  /// Returns whether a unit returned within some times after the first exposure.
  private func isReturned(
    _ history: Span<UnitEvent>, _ assignment: AssignedUnits.Assignment, _ places: Places,
    _ bounds: (from: Int64, to: Int64)
  ) -> Bool {
    for index in assignment.index + 1..<history.count {
      let elapsed = history[index].elapsed(since: assignment.time)
      if elapsed >= bounds.to { return false }
      if elapsed >= bounds.from, isSignal(index, history, assignment, places) { return true }
    }
    return false
  }

  private func isSignal(
    _ index: Int, _ history: Span<UnitEvent>, _ assignment: AssignedUnits.Assignment,
    _ places: Places
  ) -> Bool {
    let event = history[index]
    return switch signal {
    case .any: !event.kind.isNote
    case .goals:
      event.kind == .goal
        && places.isCreditable(goalAt: index, of: history, at: assignment.place)
    case .conversions: event.kind == .conversion && event.isConverting
    case .decisions: event.kind.isExposure && event.experiment == assignment.experiment
    }
  }

  /// Returns the tallies of every segment with an assigned unit.
  public func result(of state: State, _ context: UnitContext) -> RetentionTallies {
    RetentionTallies(
      segments: state.table.segments(context), ledger: state.ledger,
      end: state.units.end == .min ? nil : state.units.end)
  }
}
