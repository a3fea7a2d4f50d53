public import Statistics

/// The units that were exposed to an arm first, at its point and for its slot.
public struct ExposureTally: Sendable, Equatable {
  /// The units whose first exposure at the point and for the slot was to this variant.
  public var first = FirstExposures()
  /// Those of them that were exposed to another variant there later.
  public var crossedUnits = 0
  /// For each unit, its conversions in the time before its first exposure.
  public var priorConversions = Moments()
  /// For each unit, their revenue.
  public var priorRevenue = Moments()
  /// For each unit, the values of its goals in that time, 1 where a goal has none.
  public var priorGoals = Moments()

  mutating func merge(_ other: ExposureTally) {
    first.merge(other.first)
    crossedUnits += other.crossedUnits
    priorConversions.merge(other.priorConversions)
    priorRevenue.merge(other.priorRevenue)
    priorGoals.merge(other.priorGoals)
  }
}

/// What became of the decisions and goals of an experiment, by rule.
public struct ExperimentLedger: Sendable, Equatable {
  /// Decisions that count: confirmed, or provisional and confirmed later.
  public var confirmedDecisions = 0
  /// Provisional decisions that nothing confirmed.
  public var unconfirmedDecisions = 0
  /// The same assignment shown again.
  public var repeatedDecisions = 0
  /// Units that got the default because they are not in.
  public var excludedDecisions = 0
  /// Decisions with a status that this version does not know.
  public var unknownDecisions = 0
  /// Decisions that the selection leaves out by their reason.
  public var leftOutDecisions = 0
  /// Decisions that say what another decision of the unit says, at the same time.
  public var duplicateDecisions = 0
  /// Goals that were not refused.
  public var acceptedGoals = 0
  /// Goals that were refused when they came in.
  public var refusedGoals = 0
  /// Accepted goals without a counted decision of their unit and experiment, at the point and slot that they name if they
  /// name any, at or before them.
  public var orphanGoals = 0
  /// Goals, refused ones too, that say what another goal of the unit says, at the same time.
  public var duplicateGoals = 0

  /// Decisions of every status.
  public var decisions: Int {
    confirmedDecisions + unconfirmedDecisions + repeatedDecisions + excludedDecisions
      + unknownDecisions + leftOutDecisions
  }

  /// Goals, refused ones too.
  public var goals: Int { acceptedGoals + refusedGoals }

  private static let fields: [any WritableKeyPath<ExperimentLedger, Int> & Sendable] = [
    \.confirmedDecisions, \.unconfirmedDecisions, \.repeatedDecisions, \.excludedDecisions,
    \.unknownDecisions, \.leftOutDecisions, \.duplicateDecisions, \.acceptedGoals, \.refusedGoals,
    \.orphanGoals, \.duplicateGoals,
  ]

  mutating func merge(_ other: ExperimentLedger) {
    for field in Self.fields { self[keyPath: field] += other[keyPath: field] }
  }
}

/// What belongs to no experiment.
public struct UnitLedger: Sendable, Equatable {
  /// Units with an event.
  public var units = 0
  /// Events of units: decisions, goals, conversions, data points and events of the life cycle.
  public var events = 0
  /// Events that stand behind a later event of their unit in the log.
  public var lateEvents = 0
  /// How far an event stands behind the latest one of its unit before it in the log, at most, in microseconds.
  public var largestLateness: Int64 = 0
  /// Units that were exposed to anything.
  public var exposedUnits = 0
  /// Conversions.
  public var conversions = 0
  /// Conversions of units that were not exposed to anything at their time or before.
  public var orphanConversions = 0
  /// Conversions that say what another conversion of the unit says, at the same time.
  public var duplicateConversions = 0
  /// Units with more events on a day (UTC) than a person has.
  public var busyUnits = 0
  /// The most events of a unit on a day (UTC).
  public var mostEventsOfDay = 0

  mutating func merge(_ other: UnitLedger) {
    units += other.units
    events += other.events
    lateEvents += other.lateEvents
    largestLateness = max(largestLateness, other.largestLateness)
    exposedUnits += other.exposedUnits
    conversions += other.conversions
    orphanConversions += other.orphanConversions
    duplicateConversions += other.duplicateConversions
    busyUnits += other.busyUnits
    mostEventsOfDay = max(mostEventsOfDay, other.mostEventsOfDay)
  }
}

/// What a log says of its own health, unit by unit.
public struct HealthTallies: Sendable, Equatable {
  /// The units of every segment that was anyone's first exposure.
  public var exposures: [Segment: ExposureTally] = [:]
  /// By experiment, point and slot (an arm with variant 0) what the probabilities of first exposures expect; only where they
  /// were read.
  public var expected: [Segment: ExpectedExposures] = [:]
  /// The ledger of every experiment with a decision or goal, by its code.
  public var experiments: [UInt32: ExperimentLedger] = [:]
  /// What belongs to no experiment.
  public var units = UnitLedger()
}
