/// The assignments of one unit at a time: for each experiment, point and slot, the first exposure and whether the unit
/// was exposed to several variants there.
///
/// An exposure is a confirmed decision, a provisional one from its confirmation on, or a repeated one, which shows the
/// same assignment again. An excluded decision is no exposure. Buffers are reused from unit to unit.
package struct Assignments: Sendable {
  /// The assignment of a unit to an arm.
  package struct Assignment: Sendable, Equatable {
    /// The arm of the first exposure (``UnitContext/arms``).
    package var arm: UInt32
    /// The code of the experiment.
    package var experiment: UInt32
    /// The number of the experiment, point and slot.
    var place: UInt32
    /// The value of the dimension at the first exposure (``UnitContext/values``).
    package var value: UInt32
    /// The index of the first exposure in the history.
    package var index: Int
    /// The time of the first exposure, in microseconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    /// Whether a later exposure at the same experiment, point and slot showed another variant.
    package var isCrossed: Bool
  }

  /// The role of an event in the assignments of its unit.
  enum Role {
    case exposure
    case exposureAfterEnd
    case other
  }

  /// The assignments of the most recently loaded unit, in the order of their first exposures.
  package private(set) var all: [Assignment] = []
  /// The places whose first exposure was after the end.
  private(set) var placesAfterEnd: [UInt32] = []
  /// The places of the log.
  let places: Places
  private let probabilities: ProbabilityRegister
  /// The value of the dimension after the most recent event.
  private(set) var value: UInt32 = 0
  /// For each place, the index of its assignment plus one, 0 if there is none, or ``afterEnd``.
  private var found: [UInt32]

  /// Marks a place whose first exposure was after the end.
  private static let afterEnd = UInt32.max

  /// Creates an empty value for a log with the arms of a context.
  package init(_ context: UnitContext) {
    places = Places(context.arms)
    probabilities = context.probabilities
    found = Array(repeating: 0, count: places.count)
  }

  /// Replaces the current assignments by those of a unit.
  ///
  /// - Parameters:
  ///   - history: The events of the unit, in order.
  ///   - ledger: The ledger in which the events are counted.
  ///   - end: The time in microseconds after which exposures do not count.
  /// - Complexity: O(number of events), without allocation unless the unit is at more places than any unit before it.
  package mutating func load(
    _ history: Span<UnitEvent>, _ ledger: inout AssignmentLedger, end: Int64 = .max
  ) {
    removeAll()
    for index in history.indices {
      ledger.count(history[index], as: take(history[index], at: index, end: end))
    }
    ledger.units += 1
    ledger.exposedUnits += all.isEmpty ? 0 : 1
    ledger.assignments += all.count
    for assignment in all where assignment.isCrossed { ledger.crossedAssignments += 1 }
  }

  /// Replaces the current assignments by those of a unit whose history was extended, without counting its events.
  ///
  /// - Parameters:
  ///   - history: The events of the unit, in order.
  ///   - start: The number of events of the earlier history.
  ///   - end: The time in microseconds after which exposures do not count.
  /// - Returns: The number of assignments of the earlier history, and of its ``placesAfterEnd``; nil if one of these
  ///   assignments is crossed only now.
  mutating func loadExtended(
    _ history: Span<UnitEvent>, from start: Int, end: Int64 = .max
  ) -> (known: Int, afterEnd: Int)? {
    removeAll()
    for index in 0..<start { _ = take(history[index], at: index, end: end) }
    let (known, afterEnd) = (all.count, placesAfterEnd.count)
    let crossed = all.count { $0.isCrossed }
    for index in start..<history.count { _ = take(history[index], at: index, end: end) }
    return all[..<known].count { $0.isCrossed } == crossed ? (known, afterEnd) : nil
  }

  /// Returns the assignments that remain once units exposed to several variants are handled as specified.
  func kept(_ crossing: Attribution.Crossing) -> LazyFilterSequence<[Assignment]> {
    all.lazy.filter { crossing == .first || !$0.isCrossed }
  }

  /// Adds the expected number of first exposures of each variant, from the probabilities of the unit's first
  /// exposures.
  func addExpected(
    of history: Span<UnitEvent>, to table: inout SegmentTable<ExpectedExposures>
  ) {
    for assignment in all {
      let place = table.place(of: assignment.place, assignment.value)
      table.tallies[place].add(before: assignment.index, of: history, probabilities)
    }
  }

  // MARK: Event by event

  /// Forgets the current unit.
  mutating func removeAll() {
    for assignment in all { found[Int(assignment.place)] = 0 }
    for place in placesAfterEnd { found[Int(place)] = 0 }
    all.removeAll(keepingCapacity: true)
    placesAfterEnd.removeAll(keepingCapacity: true)
    value = 0
  }

  /// Processes the next event of the unit.
  ///
  /// - Returns: The role of the event.
  @inline(__always)
  mutating func take(_ event: UnitEvent, at index: Int, end: Int64) -> Role {
    let role = Self.role(of: event, end: end)
    if role != .other {
      expose(event, index, isAfterEnd: role == .exposureAfterEnd)
    } else if event.kind == .dimension || event.kind == .dataDimension {
      value = event.subject
    }
    return role
  }

  /// Returns the role of an event, whatever the unit's other events.
  @inline(__always)
  static func role(of event: UnitEvent, end: Int64) -> Role {
    guard event.kind.isExposure else { return .other }
    return event.time > end ? .exposureAfterEnd : .exposure
  }

  private mutating func expose(_ event: UnitEvent, _ index: Int, isAfterEnd: Bool) {
    let place = places[event.subject]
    let known = found[Int(place)]
    if isAfterEnd {
      if known == 0 {
        placesAfterEnd.append(place)
        found[Int(place)] = Self.afterEnd
      }
      return
    }
    if known != 0 {
      if all[Int(known - 1)].arm != event.subject { all[Int(known - 1)].isCrossed = true }
      return
    }
    all.append(
      Assignment(
        arm: event.subject, experiment: event.experiment, place: place, value: value, index: index,
        time: event.time, isCrossed: false))
    found[Int(place)] = UInt32(all.count)
  }
}

extension Attribution {
  /// Whether an assignment counts, and if not, why.
  enum Standing {
    case counts
    /// The unit was exposed to several variants, and is excluded.
    case crossed
    /// Its window extends beyond the end, and it is excluded.
    case inProgress
  }

  /// Returns whether an assignment counts, and if not, why.
  func standing(of assignment: Assignments.Assignment) -> Standing {
    if assignment.isCrossed, crossing == .drop { return .crossed }
    return isInProgress(assignment.time) ? .inProgress : .counts
  }
}
