internal import EventLog
public import Events
public import Specifications

/// Computes the data-quality counts of a log, unit by unit: first exposures and later crossings, activity before the
/// first exposure, late, duplicate and orphan events, and events dropped by each rule.
///
/// A unit is assigned, at each point and slot of an experiment, to the variant of its first exposure there
/// (``AssignedUnits``), and to the value of the dimension at that exposure. A provisional decision is dated at its
/// confirmation.
///
/// All sums are exact. The state takes about 500 bytes per arm and value of the dimension, whatever the number of
/// units. It holds minimum and maximum values, so a unit's contribution cannot be subtracted again.
public struct HealthProjector: UnitProjector {
  /// The accumulated state.
  public struct State: StateFields {
    var run: HealthRun
    /// By number of the place.
    var expected = SegmentTable(ExpectedExposures(), .places, .values)
    let readsProbabilities: Bool

    public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
      visit(&run.exposures, other.run.exposures)
      if readsProbabilities { visit(&expected, other.expected) }
      visit(&run.counts.experiments, other.run.counts.experiments)
      visit(&run.counts.units, other.run.counts.units)
    }
  }

  /// The period before a unit's first exposure in which its conversions and goals are compared, in microseconds.
  public var before: Int64
  /// The number of events per day above which a unit is unlikely to be a person.
  public var busyEvents: Int
  /// The days of the time zone of the report.
  public var calendar = DayCalendar.utc

  /// Whether the probabilities of all choices are read, where they are logged; databases do not store them.
  public var readsProbabilities = false

  /// Creates a projector that compares the activity of units in the 14 days before their first exposure.
  public init(before: Int64 = 14 * 86_400_000_000, busyEvents: Int = 1_000) {
    self.before = before
    self.busyEvents = busyEvents
  }

  /// All events; the probabilities of choices only if they are requested.
  public var needs: UnitNeeds {
    let needs: UnitNeeds = [.decisions, .goals, .conversions, .activity, .propensities]
    return readsProbabilities ? needs.union([.probabilities, .choices]) : needs
  }

  public func makeState(_ context: UnitContext) -> State {
    State(run: HealthRun(context, before: before), readsProbabilities: readsProbabilities)
  }

  /// Adds a unit without late events.
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    apply(history, lateness: 0, to: &state)
  }

  /// Adds all events of a unit.
  ///
  /// - Complexity: O(n log n) in the events of a unit at the same time, otherwise O(events × places of the unit).
  public func apply(_ history: Span<UnitEvent>, lateness: Int64, to state: inout State) {
    state.run.walk(history)
    if readsProbabilities { state.run.assigned.addExpected(of: history, to: &state.expected) }
    let busiest = mostEventsOfDay(history)
    if busiest > 0 {
      state.run.counts.units.addUnit(
        mostEventsOfDay: busiest, isBusy: busiest > busyEvents, lateness)
    }
  }

  /// Returns the largest number of events on one day; 0 if the history has no events of its own.
  private func mostEventsOfDay(_ history: Span<UnitEvent>) -> Int {
    var (day, count, most) = (Int64.min, 0, 0)
    for index in history.indices where !history[index].kind.isNote {
      let own = calendar.day(of: history[index].time)
      count = own == day ? count + 1 : 1
      day = own
      most = max(most, count)
    }
    return most
  }

  /// Returns all counts.
  public func result(of state: State, _ context: UnitContext) -> HealthTallies {
    let (run, experiments) = (state.run, state.run.counts.experiments)
    var result = HealthTallies(
      exposures: run.exposures.segments(context), units: run.counts.units)
    result.expected = state.expected.places(context, run.assigned.places)
    for (place, ledger) in experiments.tallies.enumerated() {
      result.experiments[experiments.segment(at: place).subject] = ledger
    }
    return result
  }
}
