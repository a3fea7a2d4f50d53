internal import Specifications

/// Counts of the units, assignments and exposures read by an assignment, and of the events excluded from it, by
/// reason.
public struct AssignmentLedger: Ledger, Sendable, Equatable {
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
  /// Provisional decisions that were never confirmed.
  public var unconfirmedDecisions = 0
  /// Exposures that repeat an existing assignment.
  public var repeatedDecisions = 0
  /// Decisions that excluded the unit, which got the default.
  public var excludedDecisions = 0
  /// Decisions with a status unknown to this version; they do not count.
  public var unknownDecisions = 0
  /// Decisions excluded because of their reason.
  public var leftOutDecisions = 0

  /// Creates a ledger of zeros.
  public init() {}

  public static let fields: [any WritableKeyPath<AssignmentLedger, Int> & Sendable] = [
    \.units, \.exposedUnits, \.assignments, \.crossedAssignments, \.confirmedDecisions,
    \.decisionsAfterEnd, \.unconfirmedDecisions, \.repeatedDecisions, \.excludedDecisions,
    \.unknownDecisions, \.leftOutDecisions,
  ]
}
