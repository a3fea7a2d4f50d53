internal import Specifications

/// Counts of the units, assignments and exposures read by an assignment, and of the events excluded from it, by
/// reason.
public struct AssignmentLedger: DecisionLedger, Equatable {
  /// Units with at least one event.
  public var units = 0
  /// Units with an exposure at or before the end.
  public var exposedUnits = 0
  /// Assignments: distinct combinations of unit, experiment, point and slot.
  public var assignments = 0
  /// Assignments of units that were exposed to several variants there.
  public var crossedAssignments = 0
  /// Exposures that are decisions: confirmed, or provisional and later confirmed.
  public var confirmedDecisions = 0
  /// Exposures after the end.
  public var decisionsAfterEnd = 0
  /// The decisions that are not counted.
  public var uncounted = UncountedDecisions()

  /// Creates a ledger of zeros.
  public init() {}

  public static let counts: LedgerCounts<Self> =
    [
      "units_read": \.units, "units_exposed": \.exposedUnits, "assignments": \.assignments,
      "assignments_in_several_variants": \.crossedAssignments,
      "decisions_confirmed": \.confirmedDecisions,
    ] + .unnamed(\.decisionsAfterEnd) + uncountedDecisions
}
