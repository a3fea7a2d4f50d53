/// The assignments of one unit at a time, and which of them count under an ``Attribution``.
///
/// A unit is assigned, at each point and slot of an experiment, to the variant of its first exposure there. An exposure
/// is a confirmed decision, a provisional one from its confirmation on, or a repeated one, which shows the same
/// assignment again. An excluded decision is no exposure. Buffers are reused from unit to unit.
struct AssignedUnits: Sendable {
  /// The assignment of a unit to an arm.
  struct Assignment: Sendable, Equatable {
    /// The arm of the first exposure (``UnitContext/arms``).
    var arm: UInt32
    /// The code of the experiment.
    var experiment: UInt32
    /// The number of the experiment, point and slot.
    var place: UInt32
    /// The value of the dimension at the first exposure (``UnitContext/values``).
    var value: UInt32
    /// The index of the first exposure in the history.
    var index: Int
    /// The time of the first exposure, in microseconds since 1970-01-01T00:00:00Z.
    var time: Int64
    /// Whether a later exposure at the same experiment, point and slot showed another variant.
    var isCrossed: Bool
  }

  /// The role of an event in the assignments of its unit.
  enum Role {
    case exposure
    case exposureAfterEnd
    case other
  }

  /// How many assignments, of those that count, and of places that were first shown after the end.
  private struct Counts {
    var (all, counting, afterEnd) = (0, 0, 0)
  }

  /// The assignments of the current unit, in the order of their first exposures.
  private(set) var all: [Assignment] = []
  /// Those of them that count.
  private(set) var counting: [Assignment] = []
  /// The places whose first exposure was after the end.
  private(set) var placesAfterEnd: [UInt32] = []
  /// The numbers of these that the earlier history had, where a history was extended.
  private var known = Counts()
  /// The places of the log.
  let places: Places
  /// The time of the latest event of the log.
  let latest: Int64
  private let probabilities: ProbabilityRegister
  private let attribution: Attribution
  /// The time after which exposures do not count.
  let end: Int64
  /// The value of the dimension after the most recent event.
  private var value: UInt32 = 0
  /// For each place, the index of its assignment plus one, 0 if there is none, or ``afterEnd``.
  private var found: [UInt32]

  /// Marks a place whose first exposure was after the end.
  private static let afterEnd = UInt32.max

  /// Creates an empty value for a log with the arms of a context; the attribution says which assignments count.
  init(_ context: UnitContext, _ attribution: Attribution) {
    self.attribution = attribution
    end = attribution.lastTime
    places = Places(context.arms)
    latest = context.latest
    probabilities = context.probabilities
    found = Array(repeating: 0, count: places.count)
  }

  /// The assignments that the earlier history of the unit did not have; all if there was none.
  var new: ArraySlice<Assignment> { all[known.all...] }

  /// Those of them that count.
  var newCounting: ArraySlice<Assignment> { counting[knownCounting...] }

  /// How many of those that count the earlier history had.
  var knownCounting: Int { known.counting }

  // MARK: Loading

  /// Replaces the current unit by another one, or by one whose earlier history was loaded before and now goes on.
  ///
  /// - Parameters:
  ///   - history: The events of the unit, in order.
  ///   - start: The number of events that were loaded and counted before.
  ///   - ledger: The ledger in which the other events and the new assignments are counted.
  ///   - visit: Called with each event from the start on, its role, and the value of the dimension.
  /// - Returns: Whether the assignments of the earlier history are what they were; if one of them is crossed only now,
  ///   nothing was counted.
  /// - Complexity: O(number of events), without allocation unless the unit is at more places than any unit before it.
  @inline(__always)
  @discardableResult
  mutating func load(
    _ history: Span<UnitEvent>, from start: Int = 0, _ ledger: inout AssignmentLedger,
    _ visit: (UnitEvent, Role, UInt32) -> Void = { _, _, _ in }
  ) -> Bool {
    removeAll()
    if start > 0, !loadEarlier(history, until: start) { return false }
    for index in start..<history.count {
      let event = history[index]
      let role = take(event, at: index)
      ledger.count(event, as: role)
      visit(event, role, value)
    }
    settle(&ledger)
    return true
  }

  /// Loads the earlier history of a unit, and returns whether the later one crosses none of its assignments.
  private mutating func loadEarlier(_ history: Span<UnitEvent>, until start: Int) -> Bool {
    for index in 0..<start { _ = take(history[index], at: index) }
    for index in start..<history.count where role(of: history[index]) == .exposure {
      guard let assignment = assignment(at: places[history[index].subject]) else { continue }
      if assignment.arm != history[index].subject, !assignment.isCrossed { return false }
    }
    var uncounted = AssignmentLedger()
    settle(&uncounted)
    known = Counts(all: all.count, counting: counting.count, afterEnd: placesAfterEnd.count)
    return true
  }

  private func assignment(at place: UInt32) -> Assignment? {
    let number = found[Int(place)]
    return number == 0 || number == Self.afterEnd ? nil : all[Int(number - 1)]
  }

  private mutating func removeAll() {
    for assignment in all { found[Int(assignment.place)] = 0 }
    for place in placesAfterEnd { found[Int(place)] = 0 }
    all.removeAll(keepingCapacity: true)
    counting.removeAll(keepingCapacity: true)
    placesAfterEnd.removeAll(keepingCapacity: true)
    (value, known) = (0, Counts())
  }

  @inline(__always)
  private mutating func take(_ event: UnitEvent, at index: Int) -> Role {
    let role = role(of: event)
    if role != .other {
      expose(event, index, isAfterEnd: role == .exposureAfterEnd)
    } else if event.kind == .dimension || event.kind == .dataDimension {
      value = event.subject
    }
    return role
  }

  @inline(__always)
  private func role(of event: UnitEvent) -> Role {
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

  /// Finds which of the new assignments count, and counts all of them by what became of them.
  private mutating func settle(_ ledger: inout AssignmentLedger) {
    if known.all == 0, !all.isEmpty { ledger.exposedUnits += 1 }
    ledger.assignments += all.count - known.all
    ledger.assignmentsAfterEnd += placesAfterEnd.count - known.afterEnd
    for index in known.all..<all.count {
      let assignment = all[index]
      if assignment.isCrossed { ledger.crossedAssignments += 1 }
      if assignment.isCrossed, attribution.crossing == .drop {
        ledger.droppedAssignments += 1
      } else if attribution.isInProgress(assignment.time) {
        ledger.inProgressAssignments += 1
      } else {
        counting.append(assignment)
      }
    }
  }

  // MARK: First exposures

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
}
