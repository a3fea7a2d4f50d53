/// Counts of the decisions that get no reward, and that are no exposures unless they repeat one.
public struct UncountedDecisions: Sendable, Equatable {
  /// Provisional decisions that were never confirmed.
  public var unconfirmedDecisions = 0
  /// Decisions that repeat an existing assignment.
  public var repeatedDecisions = 0
  /// Decisions that excluded the unit, which got the default.
  public var excludedDecisions = 0
  /// Decisions with a status unknown to this version; they do not count.
  public var unknownDecisions = 0
  /// Decisions excluded because of their reason.
  public var leftOutDecisions = 0

  /// All of them.
  var total: Int {
    unconfirmedDecisions + repeatedDecisions + excludedDecisions + unknownDecisions
      + leftOutDecisions
  }

  /// Counts a decision that gets no reward; ignores other events.
  @inline(__always)
  mutating func count(_ kind: UnitEvent.Kind) {
    if kind == .repeated { repeatedDecisions += 1 } else { count(unexposed: kind) }
  }

  /// Counts a decision that is no exposure; ignores other events.
  @inline(__always)
  mutating func count(unexposed kind: UnitEvent.Kind) {
    switch kind {
    case .provisional: unconfirmedDecisions += 1
    case .excluded: excludedDecisions += 1
    case .unknown: unknownDecisions += 1
    case .leftOut: leftOutDecisions += 1
    default: break
    }
  }
}
