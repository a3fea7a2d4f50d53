/// Counts what makes a log less than it seems, unit by unit: where units were exposed first and whether they stayed
/// there, what they did before, what came late, twice or to nobody, and what was dropped by which rule.
///
/// A unit belongs, at each point and for each slot of an experiment, to the variant of its first exposure there
/// (``Assignments``), and to the value that the dimension has at that exposure. A provisional decision stands at the time of
/// its confirmation.
///
/// All sums are exact. The state takes about 500 bytes for each arm and value of the dimension, whatever the number of
/// units. It has greatest and least values, so what a unit added cannot be taken out again.
public struct HealthProjector: UnitProjector {
  /// What has been seen.
  public struct State: Sendable {
    var exposures = SegmentTable(ExposureTally())
    /// By number of the place.
    var expected = SegmentTable(ExpectedExposures())
    var experiments = SegmentTable(ExperimentLedger())
    var units = UnitLedger()
    var run: HealthRun
  }

  /// How long before its first exposure a unit's conversions and goals are compared, in microseconds.
  public var before: Int64
  /// How many events of a day (UTC) are as many as a person has.
  public var busyEvents: Int

  /// Whether the probabilities of all choices are read, where they are logged; databases do not keep them.
  public var readsProbabilities = false

  /// A projector that compares what units did in the 14 days before their first exposure.
  public init(before: Int64 = 14 * 86_400_000_000, busyEvents: Int = 1_000) {
    self.before = before
    self.busyEvents = busyEvents
  }

  /// Everything, but for the probabilities of choices where they are not wanted.
  public var needs: UnitNeeds {
    let needs: UnitNeeds = [.decisions, .goals, .conversions, .activity, .propensities]
    return readsProbabilities ? needs.union(.probabilities) : needs
  }

  /// Nothing seen.
  public func makeState(_ context: UnitContext) -> State {
    State(run: HealthRun(context, before: before))
  }

  /// Takes a unit whose events all came in time.
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    apply(history, lateness: 0, to: &state)
  }

  /// Takes all events of a unit.
  ///
  /// - Complexity: O(n log n) in the events of a unit at the same time, otherwise O(events × places of the unit).
  public func apply(_ history: Span<UnitEvent>, lateness: Int64, to state: inout State) {
    state.run.walk(history, &state.exposures, &state.experiments, &state.units)
    if readsProbabilities { state.run.addExpected(of: history, to: &state.expected) }
    let busiest = Self.mostEventsOfDay(history)
    guard busiest > 0 else { return }
    state.units.units += 1
    state.units.largestLateness = max(state.units.largestLateness, lateness)
    state.units.mostEventsOfDay = max(state.units.mostEventsOfDay, busiest)
    if busiest > busyEvents { state.units.busyUnits += 1 }
  }

  /// The most events on one day; 0 when the history has none of its own.
  private static func mostEventsOfDay(_ history: Span<UnitEvent>) -> Int {
    var (day, count, most) = (Int64.min, 0, 0)
    for index in history.indices where !history[index].kind.isNote {
      // Rounded down, so that days before 1970 are as long as the others.
      let time = history[index].time
      let own = time / 86_400_000_000 - (time % 86_400_000_000 < 0 ? 1 : 0)
      count = own == day ? count + 1 : 1
      day = own
      most = max(most, count)
    }
    return most
  }

  /// Adds what was seen of other units.
  public func merge(_ other: State, into state: inout State) {
    state.exposures.merge(other.exposures) { $1.merge($0) }
    state.experiments.merge(other.experiments) { $1.merge($0) }
    state.expected.merge(other.expected) { $1.merge($0) }
    state.units.merge(other.units)
  }

  /// Everything that was counted.
  public func result(of state: State, _ context: UnitContext) -> HealthTallies {
    var result = HealthTallies(units: state.units)
    for (place, tally) in state.exposures.tallies.enumerated() {
      let (arm, value) = state.exposures.segment(at: place)
      let segment = Segment(arm: context.arms[Int(arm)], value: context.values[Int(value)])
      result.exposures[segment] = tally
    }
    result.expected = state.expected.places(context, state.run.places)
    for (place, ledger) in state.experiments.tallies.enumerated() {
      result.experiments[state.experiments.segment(at: place).subject] = ledger
    }
    return result
  }
}
