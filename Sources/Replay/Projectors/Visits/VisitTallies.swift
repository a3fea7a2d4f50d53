public import Statistics

/// The visits of a group of units.
public struct VisitTally: Sendable, Equatable {
  /// The events and visits of each unit, as a ratio.
  public var perUnit = RatioMoments()
  /// The total duration of visits from their first to their last event, in microseconds.
  public var duration: Int128 = 0
  /// Visits with a single event.
  public var singles = 0
  /// Visits with a goal or conversion.
  public var withGoal = 0

  /// Creates a tally of zeros.
  public init() {}

  /// Units with at least one visit.
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

/// The visits by segment, those of all units, and the assignment ledger.
public struct VisitTallies: Sendable, Equatable {
  /// For every segment with an assigned unit, the visits of its units from their first exposure on.
  public var segments: [Segment: VisitTally] = [:]
  /// All visits of all units, exposed or not.
  public var overall = VisitTally()
  /// The counts of the assignment.
  public var ledger = AssignmentLedger()
}
