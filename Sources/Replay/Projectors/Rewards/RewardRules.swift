internal import Events

extension Attribution {
  /// Whether no more than the latest decision of a place can be credited, so that nobody needs those before it.
  var isStreamable: Bool { rule == .last && delay == 0 && mostGoals == nil }

  /// The most goals of a unit that count; nil for all.
  var mostGoals: Int? { counting == .once ? min(limit ?? 1, 1) : limit }

  /// Whether a goal may be credited to a decision at a time.
  func admits(_ goal: UnitEvent, since time: Int64) -> Bool {
    isWithinBounds(goal.number) && isOpen(goal.time, since: time)
  }

  /// Whether a decision counts by its time; noted when it does not.
  func counts(decisionAt time: Int64, _ ledger: inout RewardLedger) -> Bool {
    if let end, time > end.microseconds {
      ledger.decisionsAfterEnd += 1
      return false
    }
    if isInProgress(time) {
      ledger.decisionsInProgress += 1
      return false
    }
    ledger.confirmedDecisions += 1
    return true
  }
}

extension RewardLedger {
  /// Counts what is neither a counted decision nor a goal.
  mutating func count(_ kind: UnitEvent.Kind) {
    if kind == .refusedGoal { refusedGoals += 1 } else { count(uncounted: kind) }
  }

  /// Counts a goal.
  mutating func countGoal(hasDecision: Bool, isCredited: Bool) {
    if isCredited {
      creditedGoals += 1
    } else if hasDecision {
      uncreditedGoals += 1
    } else {
      orphanGoals += 1
    }
  }
}
