extension Attribution {
  /// Returns whether a decision counts by its time, and counts it in the ledger.
  func counts(decisionAt time: Int64, _ ledger: inout RewardLedger) -> Bool {
    guard hasSeen(time) else {
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
  /// Counts an event that is neither a counted decision nor an accepted goal.
  mutating func count(_ event: UnitEvent, _ signal: RewardSignal) {
    guard event.kind == .refusedGoal else { return uncounted.count(event.kind) }
    if signal.takes(event) { refusedGoals += 1 }
  }

  /// Counts an accepted goal.
  mutating func count(_ outcome: GoalOutcome) {
    switch outcome {
    case .credited: creditedGoals += 1
    case .uncredited: uncreditedGoals += 1
    case .orphan: orphanGoals += 1
    }
  }
}
