/// How many units came back on one day after their first exposure.
public struct RetentionTally: Sendable, Equatable {
  /// Units that are old enough: the day was over at the end of the data.
  public var units = 0
  /// Those of them that came back on the day.
  public var returned = 0
  /// Units for which the day was not over.
  public var tooYoung = 0

  /// No units.
  public init() {}

  mutating func merge(_ other: RetentionTally) {
    units += other.units
    returned += other.returned
    tooYoung += other.tooYoung
  }
}

/// Retention by segment, in the order of the projector's days, and what was found.
public struct RetentionTallies: Sendable, Equatable {
  /// For every segment with an assigned unit, a tally for each day.
  public var segments: [Segment: [RetentionTally]] = [:]
  /// What was found while units were assigned.
  public var ledger = AssignmentLedger()
  /// Where the data end, in microseconds since 1970; nil for a log without events.
  public var end: Int64?
}
