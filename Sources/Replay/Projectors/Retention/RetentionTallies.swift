public import Specifications

/// The number of units that returned on one day after their first exposure.
public struct RetentionTally: Sendable, Equatable {
  /// Eligible units: the day was over at the end of the data.
  public var units = 0
  /// Eligible units that returned on the day.
  public var returned = 0
  /// Units for which the day was not over at the end of the data.
  public var tooYoung = 0

  /// Creates a tally of zeros.
  public init() {}
}

extension RetentionTally: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&units, other.units)
    visit(&returned, other.returned)
    visit(&tooYoung, other.tooYoung)
  }
}

/// The retention by segment, in the order of the projector's days, and the assignment ledger.
public struct RetentionTallies: Sendable, Equatable {
  /// For every segment with an assigned unit, a tally for each day.
  public var segments: [Segment: [RetentionTally]] = [:]
  /// The counts of the assignment.
  public var ledger = AssignmentLedger()
  /// The end of the data, in microseconds since 1970; nil for a log without events.
  public var end: Int64?
}
