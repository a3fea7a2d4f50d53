public import EventLog
public import Replay
public import Tables

extension TableColumn {
  /// The key columns of reports with a row for each arm.
  public static let arm: [TableColumn] = [
    .key("experiment", .text, "what is decided"),
    .key("point", .text, "where in the app"),
    .key("slot", .text, "which of several decisions at the point"),
    .key("variant", .text, "what was chosen"),
  ]
}

extension TableCell {
  /// Returns the cells of the columns `TableColumn.arm`.
  ///
  /// - Parameters:
  ///   - arm: The arm, as codes of a log.
  ///   - names: The names of the log's experiments, points, slots and variants.
  /// - Returns: A cell for each column of `TableColumn.arm`.
  public static func arm(_ arm: Arm, _ names: LogNames) -> [TableCell] {
    [
      .text(names.string(arm.experiment, in: .experiments) ?? ""),
      .text(names.string(arm.point, in: .points) ?? "point-1"),
      .text(names.string(arm.slot, in: .slots) ?? "decision-1"),
      .text(names.string(arm.variant, in: .variants) ?? ""),
    ]
  }
}

extension Table {
  /// Notes how many units were assigned, and which decisions were not counted, rule by rule.
  ///
  /// - Parameters:
  ///   - ledger: The counts.
  ///   - crossing: How units exposed to several variants were handled.
  public mutating func note(_ ledger: AssignmentLedger, crossing: Attribution.Crossing) {
    note(
      "assignment",
      .text(
        "first counted decision at a point and slot; "
          + (crossing == .drop
            ? "units in several variants there are left out"
            : "units in several variants there belong to their first")))
    for (rule, count) in [
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
    ] { note(rule, .integer(count)) }
  }
}
