public import Statistics

/// What a reward is attributed to: a variant, at a point and for a slot of an experiment, all as codes of
/// the log.
public struct Arm: Hashable, Sendable {
  /// Code of the experiment.
  public var experiment: UInt32
  /// Code of the point, that of `point-1` for decisions that name none.
  public var point: UInt32
  /// Code of the slot, that of `decision-1` for decisions that name none.
  public var slot: UInt32
  /// Code of the variant.
  public var variant: UInt32

  /// Makes an arm.
  public init(experiment: UInt32, point: UInt32, slot: UInt32, variant: UInt32) {
    self.experiment = experiment
    self.point = point
    self.slot = slot
    self.variant = variant
  }
}

/// The rewards of one arm.
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
  /// Goals credited to at least one decision.
  public var creditedGoals = 0
  /// Goals with no counted decision of their unit and experiment at or before them.
  public var orphanGoals = 0
  /// Goals that were refused when they came in.
  public var refusedGoals = 0

  mutating func merge(_ other: RewardLedger) {
    confirmedDecisions += other.confirmedDecisions
    unconfirmedDecisions += other.unconfirmedDecisions
    repeatedDecisions += other.repeatedDecisions
    excludedDecisions += other.excludedDecisions
    unknownDecisions += other.unknownDecisions
    creditedGoals += other.creditedGoals
    orphanGoals += other.orphanGoals
    refusedGoals += other.refusedGoals
  }
}

/// Rewards by arm, and the ledger.
public struct RewardTallies: Sendable, Equatable {
  /// The tally of every arm with a counted decision.
  public var arms: [Arm: RewardTally] = [:]
  /// What was read, and what of it did not count.
  public var ledger = RewardLedger()

  mutating func merge(_ other: RewardTallies) {
    for (arm, tally) in other.arms { arms[arm, default: RewardTally()].merge(tally) }
    ledger.merge(other.ledger)
  }
}
