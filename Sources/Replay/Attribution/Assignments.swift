/// Where one unit after the other belongs: for each experiment, point and slot the first exposure, and whether the unit was
/// seen in several variants there.
///
/// An exposure is a decision that is confirmed, a provisional one from its confirmation on, or one that is repeated: the same
/// assignment shown again. Excluded decisions are no exposure. What it holds between two units is memory that is used again.
public struct Assignments: Sendable {
  /// That a unit belongs to an arm.
  public struct Assignment: Sendable, Equatable {
    /// The arm of the first exposure (``UnitContext/arms``).
    public var arm: UInt32
    /// Code of its experiment.
    public var experiment: UInt32
    /// The number of its experiment, point and slot.
    var place: UInt32
    /// The value of the dimension at the first exposure (``UnitContext/values``).
    public var value: UInt32
    /// Where the first exposure stands in the history.
    public var index: Int
    /// When it was, in microseconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    /// Whether a later exposure at the same experiment, point and slot was to another variant.
    public var isCrossed: Bool
  }

  /// What an event is to the assignments of its unit.
  enum Role {
    case exposure
    case exposureAfterEnd
    case other
  }

  /// Those of the unit that was loaded last, in the order of their first exposures.
  public private(set) var all: [Assignment] = []
  /// The places at which the first exposure was after the end.
  private(set) var placesAfterEnd: [UInt32] = []
  /// The places of the log.
  let places: Places
  /// The value of the dimension after the last event.
  private(set) var value: UInt32 = 0
  /// By place: the index of its assignment plus one, 0 where there is none, or ``afterEnd``.
  private var found: [UInt32]

  /// Stands for a place whose first exposure was after the end.
  private static let afterEnd = UInt32.max

  /// No unit yet, of a log with these arms.
  public init(_ context: UnitContext) {
    places = Places(context.arms)
    found = Array(repeating: 0, count: places.count)
  }

  /// Takes the events of a unit, and forgets those of the one before.
  ///
  /// - Parameters:
  ///   - history: The events in order.
  ///   - ledger: Where it is counted what was found and what does not count.
  ///   - end: Exposures after this time, in microseconds, do not count.
  /// - Complexity: O(number of events), without allocation unless the unit is at more places than any before it.
  public mutating func load(
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

  /// The assignments that are kept when units in several variants are handled in a way.
  func kept(_ crossing: Attribution.Crossing) -> LazyFilterSequence<[Assignment]> {
    all.lazy.filter { crossing == .first || !$0.isCrossed }
  }

  // MARK: Event by event

  /// Forgets the unit.
  mutating func removeAll() {
    for assignment in all { found[Int(assignment.place)] = 0 }
    for place in placesAfterEnd { found[Int(place)] = 0 }
    all.removeAll(keepingCapacity: true)
    placesAfterEnd.removeAll(keepingCapacity: true)
    value = 0
  }

  /// Takes the next event of the unit.
  ///
  /// - Returns: What it is.
  @inline(__always)
  mutating func take(_ event: UnitEvent, at index: Int, end: Int64) -> Role {
    guard event.kind.isExposure else {
      if event.kind == .dimension || event.kind == .dataDimension { value = event.subject }
      return .other
    }
    return expose(event, index, isAfterEnd: event.time > end)
  }

  private mutating func expose(_ event: UnitEvent, _ index: Int, isAfterEnd: Bool) -> Role {
    let place = places[event.subject]
    let known = found[Int(place)]
    if isAfterEnd {
      if known == 0 {
        placesAfterEnd.append(place)
        found[Int(place)] = Self.afterEnd
      }
      return .exposureAfterEnd
    }
    if known != 0 {
      if all[Int(known - 1)].arm != event.subject { all[Int(known - 1)].isCrossed = true }
      return .exposure
    }
    all.append(
      Assignment(
        arm: event.subject, experiment: event.experiment, place: place, value: value, index: index,
        time: event.time, isCrossed: false))
    found[Int(place)] = UInt32(all.count)
    return .exposure
  }
}

extension Attribution {
  /// What becomes of an assignment.
  enum Standing {
    case counts
    /// The unit was seen in several variants, and is left out.
    case crossed
    /// Its window is not over at the end, and it is left out.
    case inProgress
  }

  /// Returns what becomes of an assignment.
  func standing(of assignment: Assignments.Assignment) -> Standing {
    if assignment.isCrossed, crossing == .drop { return .crossed }
    return isInProgress(assignment.time) ? .inProgress : .counts
  }
}
