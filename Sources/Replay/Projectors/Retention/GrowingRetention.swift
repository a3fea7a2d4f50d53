internal import Statistics

/// Retention of a log that grows: as its end moves on, units become old enough for a day without any new event of theirs.
///
/// The result is that of a ``RetentionProjector`` with its standard days and any signal. Units that are old enough for all
/// days are counts. Of a unit that is too young for the last of them (28 days and one more), the state has when it was first
/// exposed and on which days it returned, until the log has gone on for so long: 24 bytes for each such unit and place,
/// some 5 of them when written.
public struct GrowingRetentionProjector: UnitProjector {
  /// What has been seen.
  public struct State: Sendable {
    /// Units that are old enough for every day.
    var old: RetentionProjector.State
    /// Units that are not, in any order; those that were taken out count below zero.
    var young: [YoungUnits] = []
  }

  /// What says how units return.
  public let retention: RetentionProjector
  /// How long after the first exposure the last day is over, in microseconds.
  private let span: Int64

  /// Retention on the standard days.
  public init() {
    retention = RetentionProjector(days: RetentionProjector.standardDays)
    span = retention.bounds.reduce(0) { max($0, $1.to) }
  }

  /// All kinds of events.
  public var needs: UnitNeeds { retention.needs }

  /// Nothing seen, of a log that ends at the latest event of the context.
  public func makeState(_ context: UnitContext) -> State {
    State(old: retention.makeState(context))
  }

  /// Adds a unit to the arms to which it belongs.
  ///
  /// - Complexity: O(events × days) for each of them.
  public func apply(_ history: Span<UnitEvent>, to state: inout State) {
    state.old.assignments.load(history, &state.old.ledger, end: state.old.end)
    for assignment in state.old.assignments.all where !assignment.isCrossed {
      retention.findReturns(history, assignment, &state.old)
      guard isYoung(assignment.time, state) else {
        retention.add(assignment, &state.old)
        continue
      }
      var unit = YoungUnits(
        arm: assignment.arm, value: assignment.value, time: assignment.time, returned: 0)
      for (day, returned) in state.old.returned.enumerated() where returned {
        unit.returned |= 1 << UInt32(day)
      }
      state.young.append(unit)
    }
  }

  /// Whether a unit that was first exposed at a time is too young for one of the days.
  func isYoung(_ time: Int64, _ state: State) -> Bool {
    UnitEvent.span(from: time, to: state.old.end) < span
  }

  /// Adds other units.
  public func merge(_ other: State, into state: inout State) {
    retention.merge(other.old, into: &state.old)
    state.young += other.young
  }

  /// The tallies of every segment with an assigned unit, as of the end of the context's log.
  public func result(of state: State, _ context: UnitContext) -> RetentionTallies {
    var all = state.old
    for units in state.young { count(units, in: &all) }
    var result = retention.result(of: all, context)
    result.segments = result.segments.mapValues { $0.map(\.plausible) }
      .filter { !$0.value.allSatisfy(\.isEmpty) }
    return result
  }

  /// Counts units for the days that are over for them, and as too young for the others.
  func count(_ units: YoungUnits, in state: inout RetentionProjector.State) {
    let place = state.table.place(of: units.arm, units.value)
    let age = UnitEvent.span(from: units.time, to: state.end)
    for (day, bound) in retention.bounds.enumerated() {
      if bound.to > age {
        state.table.tallies[place][day].tooYoung += Int(units.count)
      } else {
        state.table.tallies[place][day].units += Int(units.count)
        if units.returned & 1 << UInt32(day) != 0 {
          state.table.tallies[place][day].returned += Int(units.count)
        }
      }
    }
  }
}

/// Units of one segment that were first exposed at the same time, and returned on the same days.
struct YoungUnits: Sendable {
  /// Index of the arm.
  var arm: UInt32
  /// Index of the dimension's value.
  var value: UInt32
  /// Of the first exposure, in microseconds since 1970.
  var time: Int64
  /// A bit for each day on which they returned.
  var returned: UInt32
  /// How many they are.
  var count: Int32 = 1

  /// Whether they differ in nothing but their number.
  func isAlike(_ other: YoungUnits) -> Bool {
    (arm, value, time, returned) == (other.arm, other.value, other.time, other.returned)
  }

  static func precedes(_ a: YoungUnits, _ b: YoungUnits) -> Bool {
    (a.arm, a.value, a.time, a.returned) < (b.arm, b.value, b.time, b.returned)
  }

  /// Units in order, those that are alike together, without those of which none is left.
  static func settled(_ units: [YoungUnits]) -> [YoungUnits] {
    let sorted = units.sorted(by: precedes)
    var settled: [YoungUnits] = []
    settled.reserveCapacity(sorted.count)
    for units in sorted {
      if let last = settled.indices.last, settled[last].isAlike(units) {
        settled[last].count &+= units.count
        continue
      }
      if settled.last?.count == 0 { settled.removeLast() }
      settled.append(units)
    }
    if settled.last?.count == 0 { settled.removeLast() }
    return settled
  }
}
