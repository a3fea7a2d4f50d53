public import Specifications
public import Statistics

/// The rewards of one arm, or of a segment of it.
public struct RewardTally: Sendable, Equatable {
  /// The number of goals credited to its decisions.
  public var rewards = 0
  /// The exact sum of their values.
  public var total = ExactSum()
  /// The reward per decision, the sum of the goals credited to it: count, mean and variance.
  public var perDecision = Moments()
  /// The reward per unit, the sum over its decisions for the arm: count, mean and variance.
  public var perUnit = Moments()

  /// Confirmed decisions.
  public var decisions: Int { perDecision.count }
  /// Distinct units among the confirmed decisions.
  public var units: Int { perUnit.count }
}

extension RewardTally: StateFields {
  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    visit(&rewards, other.rewards)
    visit(&total, other.total)
    visit(&perDecision, other.perDecision)
    visit(&perUnit, other.perUnit)
  }

  public var isOmitted: Bool { decisions == 0 }
}

/// Counts of what was read, and of what was excluded, by rule.
public struct RewardLedger: DecisionLedger, Equatable {
  /// Decisions that count: confirmed, or provisional and later confirmed.
  public var confirmedDecisions = 0
  /// The decisions that are not counted.
  public var uncounted = UncountedDecisions()
  /// Decisions after the end of the attribution.
  public var decisionsAfterEnd = 0
  /// Decisions excluded because their window extends beyond the end of the attribution.
  public var decisionsInProgress = 0
  /// Goals credited to at least one decision.
  public var creditedGoals = 0
  /// Goals without a counted decision of their unit and experiment at or before them, at the point and slot that they
  /// name, if any.
  public var orphanGoals = 0
  /// Goals with a counted decision before them that the attribution credits to none: outside the window, beyond the
  /// limits, or after the end.
  public var uncreditedGoals = 0
  /// Refused goals.
  public var refusedGoals = 0
  /// The names of the credited goals.
  public var goals = CreditedGoals()

  public mutating func each(_ visit: inout some FieldVisitor, _ other: Self) {
    eachCount(&visit, other)
    visit(&goals, other.goals)
  }

  public static let counts: LedgerCounts<Self> =
    ["decisions_confirmed": \.confirmedDecisions] + uncountedDecisions + [
      "decisions_after_end": \.decisionsAfterEnd, "decisions_in_progress": \.decisionsInProgress,
      "goals_credited": \.creditedGoals, "goals_without_decision": \.orphanGoals,
      "goals_not_credited": \.uncreditedGoals, "goals_refused": \.refusedGoals,
    ]
}

/// Rewards by segment, and the ledger.
public struct RewardTallies: Sendable, Equatable {
  /// The tally of every segment with a counted decision.
  public var segments: [Segment: RewardTally] = [:]
  /// The counts of what was read and what was excluded.
  public var ledger = RewardLedger()
}
