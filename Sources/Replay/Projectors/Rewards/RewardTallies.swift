public import Statistics

/// The rewards of one arm, or of a segment of it.
public struct RewardTally: Sendable, Equatable {
  /// How many goals were credited to its decisions.
  public var rewards = 0
  /// The sum of their values, exact.
  public var total = ExactSum()
  /// The reward of each decision, the sum of the goals credited to it: count, mean, variance.
  public var perDecision = Moments()
  /// The reward of each unit, the sum over its decisions for the arm: count, mean, variance.
  public var perUnit = Moments()

  /// Confirmed decisions.
  public var decisions: Int { perDecision.count }
  /// Distinct units among the confirmed decisions.
  public var units: Int { perUnit.count }

  mutating func merge(_ other: RewardTally) {
    rewards += other.rewards
    total.merge(other.total)
    perDecision.merge(other.perDecision)
    perUnit.merge(other.perUnit)
  }

  mutating func subtract(_ other: RewardTally) {
    rewards -= other.rewards
    total.subtract(other.total)
    perDecision.subtract(other.perDecision)
    perUnit.subtract(other.perUnit)
  }
}

/// What was read, and what of it did not count, by rule.
public struct RewardLedger: Sendable, Equatable {
  /// Decisions that count: confirmed, or provisional and confirmed later.
  public var confirmedDecisions = 0
  /// Provisional decisions that nothing confirmed.
  public var unconfirmedDecisions = 0
  /// The same assignment shown again.
  public var repeatedDecisions = 0
  /// Units that got the default because they are not in.
  public var excludedDecisions = 0
  /// Decisions with a status that this version does not know: they do not count.
  public var unknownDecisions = 0
  /// Decisions that were left out by their reason.
  public var leftOutDecisions = 0
  /// Decisions after the end of the attribution.
  public var decisionsAfterEnd = 0
  /// Decisions whose window is not over at the end of the attribution, where these are left out.
  public var decisionsInProgress = 0
  /// Goals credited to at least one decision.
  public var creditedGoals = 0
  /// Goals with no counted decision of their unit and experiment, at the point and slot that they name if they name any, at
  /// or before them.
  public var orphanGoals = 0
  /// Goals with a counted decision before them that the attribution credits to none: outside the window, the limits, or
  /// after the end.
  public var uncreditedGoals = 0
  /// Goals that were refused when they came in.
  public var refusedGoals = 0

  /// Every count with its name, in the order in which they are shown.
  static let fields: [any WritableKeyPath<RewardLedger, Int> & Sendable] = [
    \.confirmedDecisions, \.unconfirmedDecisions, \.repeatedDecisions, \.excludedDecisions,
    \.unknownDecisions, \.leftOutDecisions, \.decisionsAfterEnd, \.decisionsInProgress,
    \.creditedGoals, \.orphanGoals, \.uncreditedGoals, \.refusedGoals,
  ]

  mutating func merge(_ other: RewardLedger) {
    for field in Self.fields { self[keyPath: field] += other[keyPath: field] }
  }

  mutating func subtract(_ other: RewardLedger) {
    for field in Self.fields { self[keyPath: field] -= other[keyPath: field] }
  }
}

/// Rewards by segment, and the ledger.
public struct RewardTallies: Sendable, Equatable {
  /// The tally of every segment with a counted decision.
  public var segments: [Segment: RewardTally] = [:]
  /// What was read, and what of it did not count.
  public var ledger = RewardLedger()
}
