public import Replay
public import Tables

extension Table {
  /// Notes how many units were assigned, and which decisions were not counted, rule by rule.
  ///
  /// - Parameters:
  ///   - ledger: The counts.
  ///   - crossing: How units exposed to several variants were handled.
  public mutating func note(_ ledger: AssignmentLedger, crossing: Attribution.Crossing) {
    note(
      "assignment",
      "first counted decision at a point and slot; "
        + (crossing == .drop
          ? "units in several variants there are left out"
          : "units in several variants there belong to their first"))
    note([
      ("units_read", ledger.units), ("units_exposed", ledger.exposedUnits),
      ("assignments", ledger.assignments),
      ("assignments_in_several_variants", ledger.crossedAssignments),
      ("decisions_confirmed", ledger.confirmedDecisions),
      ("decisions_unconfirmed", ledger.unconfirmedDecisions),
      ("decisions_repeated", ledger.repeatedDecisions),
      ("decisions_excluded", ledger.excludedDecisions),
      ("decisions_of_unknown_status", ledger.unknownDecisions),
      ("decisions_left_out", ledger.leftOutDecisions),
      ("decisions_after_end", ledger.decisionsAfterEnd),
    ])
  }
}
