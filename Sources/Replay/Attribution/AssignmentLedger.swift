/// What was found while units were assigned, and what of it did not count.
public struct AssignmentLedger: Sendable, Equatable {
  /// Units with any event that was read.
  public var units = 0
  /// Units with an exposure that is not after the end.
  public var exposedUnits = 0
  /// Assignments of a unit at an experiment, point and slot.
  public var assignments = 0
  /// Those of units that were seen in several variants there.
  public var crossedAssignments = 0
  /// Exposures that are decisions: confirmed, or provisional and confirmed later.
  public var confirmedDecisions = 0
  /// Exposures after the end.
  public var decisionsAfterEnd = 0
  /// Provisional decisions that nothing confirmed.
  public var unconfirmedDecisions = 0
  /// Exposures that show the same assignment again.
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
