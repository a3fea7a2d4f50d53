public import Specifications
public import Statistics

/// The units whose first exposure at a point and slot was to an arm.
public struct ExposureTally: Sendable, Equatable {
  /// The units whose first exposure at the point and slot was to this variant.
  public var first = FirstExposures()
  /// The conversions per unit in the period before its first exposure.
  public var priorConversions = Moments()
  /// The revenue of those conversions per unit.
  public var priorRevenue = Moments()
  /// The sum of goal values per unit in that period; a goal without a value counts as 1.
  public var priorGoals = Moments()
}

extension ExposureTally: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&first, other.first)
    visit(&priorConversions, other.priorConversions)
    visit(&priorRevenue, other.priorRevenue)
    visit(&priorGoals, other.priorGoals)
  }

  public var isOmitted: Bool { first.isOmitted }
}

/// The counts of the decisions and goals of an experiment, by rule.
public struct ExperimentLedger: DecisionLedger, Equatable {
  /// Decisions that count: confirmed, or provisional and later confirmed.
  public var confirmedDecisions = 0
  /// The decisions that are not counted.
  public var uncounted = UncountedDecisions()
  /// Decisions that duplicate another decision of the unit at the same time.
  public var duplicateDecisions = 0
  /// Goals that were not refused.
  public var acceptedGoals = 0
  /// Refused goals.
  public var refusedGoals = 0
  /// Accepted goals without a counted decision of their unit and experiment at or before them, at the point and slot
  /// that they name, if any.
  public var orphanGoals = 0
  /// Goals, including refused ones, that duplicate another goal of the unit at the same time.
  public var duplicateGoals = 0

  /// Decisions of every status.
  public var decisions: Int {
    confirmedDecisions + uncounted.total
  }

  /// Goals, including refused ones.
  public var goals: Int { acceptedGoals + refusedGoals }

  public static let counts: LedgerCounts<Self> =
    .unnamed(\.confirmedDecisions) + uncountedDecisions
    + .unnamed(
      \.duplicateDecisions, \.acceptedGoals, \.refusedGoals, \.orphanGoals, \.duplicateGoals)
}

/// The counts that belong to no experiment.
public struct UnitLedger: Sendable, Equatable {
  /// Units with at least one event.
  public var units = 0
  /// Events of units: decisions, goals, conversions, data points and life-cycle events.
  public var events = 0
  /// Events that are earlier than an event of the same unit at a lower log position.
  public var lateEvents = 0
  /// The largest time by which an event is earlier than the latest one of its unit before it in the log, in
  /// microseconds.
  public var largestLateness: Int64 = 0
  /// Units with at least one exposure.
  public var exposedUnits = 0
  /// Conversions.
  public var conversions = 0
  /// Conversions of units without an exposure at or before them.
  public var orphanConversions = 0
  /// Conversions that duplicate another conversion of the unit at the same time.
  public var duplicateConversions = 0
  /// Units with more events on a day than a person is likely to have.
  public var busyUnits = 0
  /// The largest number of events of a unit on a day.
  public var mostEventsOfDay = 0

  /// Counts a unit.
  mutating func addUnit(mostEventsOfDay busiest: Int, isBusy: Bool, _ lateness: Int64) {
    units += 1
    largestLateness = max(largestLateness, lateness)
    mostEventsOfDay = max(mostEventsOfDay, busiest)
    if isBusy { busyUnits += 1 }
  }
}

extension UnitLedger: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&units, other.units)
    visit(&events, other.events)
    visit(&lateEvents, other.lateEvents)
    visit(&exposedUnits, other.exposedUnits)
    visit(&conversions, other.conversions)
    visit(&orphanConversions, other.orphanConversions)
    visit(&duplicateConversions, other.duplicateConversions)
    visit(&busyUnits, other.busyUnits)
    visit.greatest(&mostEventsOfDay, other.mostEventsOfDay)
    visit.greatest(&largestLateness, other.largestLateness)
  }
}

/// The data-quality counts of a log.
public struct HealthTallies: Sendable, Equatable {
  /// The units of every segment that was the first exposure of at least one unit.
  public var exposures: [Segment: ExposureTally] = [:]
  /// By experiment, point and slot (an arm with variant 0), the expected first exposures from the logged
  /// probabilities; only if those were read.
  public var expected: [Segment: ExpectedExposures] = [:]
  /// The ledger of every experiment with a decision or goal, by its code.
  public var experiments: [UInt32: ExperimentLedger] = [:]
  /// The counts that belong to no experiment.
  public var units = UnitLedger()

  /// The counts without the dimension: exposures of all its values added.
  package var withoutDimension: HealthTallies {
    var whole = self
    whole.exposures = [:]
    whole.expected = [:]
    for (segment, tally) in exposures {
      whole.exposures[Segment(arm: segment.arm), default: ExposureTally()].merge(tally)
    }
    for (segment, tally) in expected {
      whole.expected[Segment(arm: segment.arm), default: ExpectedExposures()].merge(tally)
    }
    return whole
  }
}
