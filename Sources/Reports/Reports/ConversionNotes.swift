internal import EventLog
internal import Replay
internal import Tables

extension Table {
  /// Notes what was read of units and their conversions (or goals), and what was not counted, rule by rule.
  mutating func note(_ ledger: ConversionLedger, of source: ConversionSource) {
    note("units", ledger.units)
    note("exposures", ledger.exposures)
    note("decisions_unconfirmed", ledger.unconfirmedDecisions)
    note("decisions_repeated", ledger.repeatedDecisions)
    note("decisions_excluded", ledger.excludedDecisions)
    note("decisions_of_unknown_status", ledger.unknownDecisions)
    note("decisions_left_out", ledger.leftOutDecisions)
    let what = source.rawValue
    note("assignments", ledger.assignments)
    note("assignments_crossed", ledger.crossedAssignments)
    note("assignments_in_progress", ledger.inProgressAssignments)
    note("assignments_after_end", ledger.assignmentsAfterEnd)
    note("\(what)_counted", ledger.counted)
    if source == .conversions { note("conversions_negative", ledger.negative) }
    note("\(what)_before_exposure", ledger.beforeExposure)
    note("\(what)_outside_window", ledger.outsideWindow)
    note("\(what)_beyond_limit", ledger.beyondLimit)
    note("\(what)_out_of_bounds", ledger.outOfBounds)
    note("\(what)_of_units_left_out", ledger.ofUnitsLeftOut)
    note("\(what)_of_units_never_exposed", ledger.ofUnitsNeverExposed)
    if source == .goals { note("goals_refused", ledger.refusedGoals) }
  }
}

extension Attribution {
  /// A description of the attribution where units belong to the variant of their first exposure, whatever the rule
  /// is.
  var assignmentText: String {
    var attribution = self
    attribution.rule = .first
    return attribution.description
  }
}
