internal import EventLog
internal import Replay
internal import Tables

extension Table {
  /// Notes what was read of units and their conversions (or goals), and what was not counted, rule by rule.
  mutating func note(_ ledger: ConversionLedger, of source: ConversionSource) {
    note("units", .integer(ledger.units))
    note("exposures", .integer(ledger.exposures))
    note("decisions_unconfirmed", .integer(ledger.unconfirmedDecisions))
    note("decisions_repeated", .integer(ledger.repeatedDecisions))
    note("decisions_excluded", .integer(ledger.excludedDecisions))
    note("decisions_of_unknown_status", .integer(ledger.unknownDecisions))
    note("decisions_left_out", .integer(ledger.leftOutDecisions))
    let what = source.rawValue
    note("assignments", .integer(ledger.assignments))
    note("assignments_crossed", .integer(ledger.crossedAssignments))
    note("assignments_in_progress", .integer(ledger.inProgressAssignments))
    note("assignments_after_end", .integer(ledger.assignmentsAfterEnd))
    note("\(what)_counted", .integer(ledger.counted))
    if source == .conversions { note("conversions_negative", .integer(ledger.negative)) }
    note("\(what)_before_exposure", .integer(ledger.beforeExposure))
    note("\(what)_outside_window", .integer(ledger.outsideWindow))
    note("\(what)_beyond_limit", .integer(ledger.beyondLimit))
    note("\(what)_out_of_bounds", .integer(ledger.outOfBounds))
    note("\(what)_of_units_left_out", .integer(ledger.ofUnitsLeftOut))
    note("\(what)_of_units_never_exposed", .integer(ledger.ofUnitsNeverExposed))
    if source == .goals { note("goals_refused", .integer(ledger.refusedGoals)) }
  }
}

extension LogNames {
  /// Returns the cells of experiment and variant of a segment.
  func cells(_ segment: VariantSegment) -> [TableCell] {
    [
      .text(string(segment.experiment, in: .experiments) ?? ""),
      .text(string(segment.variant, in: .variants) ?? ""),
    ]
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
