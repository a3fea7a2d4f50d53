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
    note(ledger.noted)
    note("decisions_after_end", ledger.decisionsAfterEnd)
  }
}
