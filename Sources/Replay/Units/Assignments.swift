/// Where one unit after the other belongs: for each experiment, point and slot the first decision that counts, and
/// whether the unit was seen in several variants there.
///
/// Decisions count as they do in rewards: confirmed ones, and provisional ones from their confirmation on. Repeated
/// decisions show the same assignment again and change nothing; excluded ones are no exposure. What it holds between
/// two units is memory that is used again.
public struct Assignments: Sendable {
  /// That a unit belongs to an arm.
  public struct Assignment: Sendable, Equatable {
    /// The arm of the first exposure (``UnitContext/arms``).
    public var arm: UInt32
    /// Code of its experiment.
    public var experiment: UInt32
    /// The value of the dimension at the first exposure (``UnitContext/values``).
    public var value: UInt32
    /// Where the first exposure stands in the history.
    public var index: Int
    /// When it was, in microseconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    /// Whether a later exposure at the same experiment, point and slot was to another variant.
    public var isCrossed: Bool
  }

  /// Those of the unit that was loaded last, in the order of their first exposures.
  public private(set) var all: [Assignment] = []
  /// By arm: the number of its experiment, point and slot.
  private let places: [UInt32]
  /// By place: the index of its assignment plus one, 0 where there is none.
  private var found: [UInt32]

  /// No unit yet, of a log with these arms.
  public init(_ context: UnitContext) {
    places = ArmRegister.places(of: context.arms)
    found = Array(repeating: 0, count: Int(places.max() ?? 0) + 1)
  }

  /// Takes the events of a unit, and forgets those of the one before.
  ///
  /// - Parameters:
  ///   - history: The events in order.
  ///   - ledger: Where it is counted what was found and what does not count.
  ///   - end: Decisions after this time, in microseconds, do not count.
  /// - Complexity: O(number of events), without allocation unless the unit is at more places than any before it.
  public mutating func load(
    _ history: Span<UnitEvent>, _ ledger: inout AssignmentLedger, end: Int64 = .max
  ) {
    for assignment in all { found[Int(places[Int(assignment.arm)])] = 0 }
    all.removeAll(keepingCapacity: true)
    var value: UInt32 = 0
    for index in history.indices {
      let event = history[index]
      switch event.kind {
      case .decision:
        if event.time > end {
          ledger.decisionsAfterEnd += 1
        } else {
          ledger.confirmedDecisions += 1
          expose(event, index, value)
        }
      case .dimension: value = event.subject
      default: ledger.count(uncounted: event.kind)
      }
    }
    ledger.units += 1
    ledger.exposedUnits += all.isEmpty ? 0 : 1
    ledger.assignments += all.count
    for assignment in all where assignment.isCrossed { ledger.crossedAssignments += 1 }
  }

  private mutating func expose(_ event: UnitEvent, _ index: Int, _ value: UInt32) {
    let place = Int(places[Int(event.subject)])
    guard found[place] == 0 else {
      let known = Int(found[place] - 1)
      if all[known].arm != event.subject { all[known].isCrossed = true }
      return
    }
    all.append(
      Assignment(
        arm: event.subject, experiment: event.experiment, value: value, index: index,
        time: event.time, isCrossed: false))
    found[place] = UInt32(all.count)
  }
}

/// What was found while units were assigned, and what of it did not count.
public struct AssignmentLedger: Sendable, Equatable {
  /// Units with any event that was read.
  public var units = 0
  /// Units with a decision that counts.
  public var exposedUnits = 0
  /// Assignments of a unit at an experiment, point and slot.
  public var assignments = 0
  /// Those of units that were seen in several variants there.
  public var crossedAssignments = 0
  /// Decisions that count: confirmed, or provisional and confirmed later.
  public var confirmedDecisions = 0
  /// Decisions after the end.
  public var decisionsAfterEnd = 0
  /// Provisional decisions that nothing confirmed.
  public var unconfirmedDecisions = 0
  /// The same assignment shown again.
  public var repeatedDecisions = 0
  /// Units that got the default because they are not in.
  public var excludedDecisions = 0
  /// Decisions with a status that this version does not know: they do not count.
  public var unknownDecisions = 0
  /// Decisions that were left out by their reason.
  public var leftOutDecisions = 0

  /// Nothing found.
  public init() {}

  /// Every count.
  static let fields: [any WritableKeyPath<AssignmentLedger, Int> & Sendable] = [
    \.units, \.exposedUnits, \.assignments, \.crossedAssignments, \.confirmedDecisions,
    \.decisionsAfterEnd, \.unconfirmedDecisions, \.repeatedDecisions, \.excludedDecisions,
    \.unknownDecisions, \.leftOutDecisions,
  ]

  /// Takes what was found of other units.
  public mutating func merge(_ other: AssignmentLedger) {
    for field in Self.fields { self[keyPath: field] += other[keyPath: field] }
  }

  mutating func subtract(_ other: AssignmentLedger) {
    for field in Self.fields { self[keyPath: field] -= other[keyPath: field] }
  }
}
