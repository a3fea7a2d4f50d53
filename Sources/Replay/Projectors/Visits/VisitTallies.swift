public import Statistics

/// The visits of some units.
public struct VisitTally: Sendable, Equatable {
  /// For each unit, its events over its visits.
  public var perUnit = RatioMoments()
  /// How long visits lasted from their first to their last event, in microseconds, added up.
  public var duration: Int128 = 0
  /// Visits of one event.
  public var singles = 0
  /// Visits with a goal or conversion.
  public var withGoal = 0

  /// No units.
  public init() {}

  /// Units with a visit.
  public var units: Int { perUnit.denominator.count }
  /// Visits of all units.
  public var visits: Int { Int(perUnit.denominator.sum) }
  /// Events of all visits.
  public var events: Int { Int(perUnit.numerator.sum) }

  mutating func merge(_ other: VisitTally) {
    perUnit.merge(other.perUnit)
    duration += other.duration
    singles += other.singles
    withGoal += other.withGoal
  }

  mutating func subtract(_ other: VisitTally) {
    perUnit.subtract(other.perUnit)
    duration -= other.duration
    singles -= other.singles
    withGoal -= other.withGoal
  }
}

/// Visits by segment, those of all units, and what was found.
public struct VisitTallies: Sendable, Equatable {
  /// For every segment with an assigned unit, the visits of its units since their first exposure.
  public var segments: [Segment: VisitTally] = [:]
  /// All visits of all units, exposed or not.
  public var overall = VisitTally()
  /// What was found while units were assigned.
  public var ledger = AssignmentLedger()
}
