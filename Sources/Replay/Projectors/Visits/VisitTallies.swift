public import Specifications
public import Statistics

/// The visits of a group of units.
public struct VisitTally: Sendable, Equatable {
  /// The events and visits of each unit, as a ratio.
  public var perUnit = RatioMoments()
  /// The total duration of visits from their first to their last event, in microseconds.
  public var duration: Int128 = 0
  /// Visits with a single event.
  public var ofOneEvent = 0
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
}

extension VisitTally: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&perUnit, other.perUnit)
    visit(&duration, other.duration)
    visit(&ofOneEvent, other.ofOneEvent)
    visit(&withGoal, other.withGoal)
  }

  public var isOmitted: Bool { units == 0 }

  public func validate() throws(StateError) {
    // Visits and events are counts, which are shown as `Int`.
    for sum in [perUnit.numerator.sum, perUnit.denominator.sum] {
      guard sum >= 0, sum < 0x1p60 else { throw StateError("a number of visits is none") }
    }
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
