internal import Specifications

/// Counts of the units, exposures and assignments read, of the assignments that do not count, by reason, and of the
/// decisions that are no exposures.
public struct AssignmentLedger: DecisionLedger, Equatable {
  /// Units with at least one event, if all kinds of events are read; otherwise 0, as they depend on what else is read.
  public var units = 0
  /// Units with an exposure at or before the end.
  public var exposedUnits = 0
  /// Assignments: distinct combinations of unit, experiment, point and slot.
  public var assignments = 0
  /// Assignments of units that were exposed to several variants there.
  public var crossedAssignments = 0
  /// Those of them that do not count.
  public var droppedAssignments = 0
  /// Assignments that do not count because their window extends beyond the end.
  public var inProgressAssignments = 0
  /// Places of units whose first exposure there is after the end: no assignments.
  public var assignmentsAfterEnd = 0
  /// Exposures that are decisions: confirmed, or provisional and later confirmed.
  public var confirmedDecisions = 0
  /// Exposures after the end.
  public var decisionsAfterEnd = 0
  /// The decisions that are not counted.
  public var uncounted = UncountedDecisions()

  /// Creates a ledger of zeros.
  public init() {}

  /// Assignments that count.
  public var countedAssignments: Int { assignments - droppedAssignments - inProgressAssignments }

  /// Exposures at or before the end.
  public var exposures: Int { confirmedDecisions + uncounted.repeatedDecisions }

  public static let counts: LedgerCounts<Self> =
    [
      "units_read": \.units, "units_exposed": \.exposedUnits, "assignments": \.assignments,
      "assignments_in_several_variants": \.crossedAssignments,
      "decisions_confirmed": \.confirmedDecisions,
    ]
    + .unnamed(
      \.decisionsAfterEnd, \.droppedAssignments, \.inProgressAssignments, \.assignmentsAfterEnd)
    + uncountedDecisions

  /// Counts an event by its role in the assignments of its unit.
  @inline(__always)
  mutating func count(_ event: UnitEvent, as role: AssignedUnits.Role) {
    switch role {
    case .exposure where event.kind == .repeated: uncounted.repeatedDecisions += 1
    case .exposure: confirmedDecisions += 1
    case .exposureAfterEnd: decisionsAfterEnd += 1
    case .other: uncounted.count(unexposed: event.kind)
    }
  }
}
