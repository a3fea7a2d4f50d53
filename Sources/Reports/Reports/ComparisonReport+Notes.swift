internal import Replay
internal import Statistics
internal import Tables

extension ComparisonReport {
  /// Notes the parameters of the comparison.
  static func note(
    _ plan: ComparisonPlan, _ tests: Int, _ expectations: [String: Int], _ dimension: Dimension?,
    _ table: inout Table
  ) {
    table.note("method", .text(plan.method.rawValue))
    table.note("alternative", .text(plan.alternative.rawValue))
    table.note(
      "interval",
      .text(
        "\(Percent.text(plan.level)), \(plan.alternative == .twoSided && plan.margin == nil ? "two-sided" : "one-sided"), "
          + "not corrected"))
    table.note(
      "correction",
      .text("\(plan.correction?.rawValue ?? "none"), over the \(tests) p-values of this report"))
    table.note("lift_interval", .text(plan.lift.rawValue))
    if !plan.method.isBayesian {
      table.note("chance_to_win", .text("normal posterior of the difference, flat prior"))
    }
    table.note(
      "baseline", .text(plan.baseline ?? "named control, baseline or a, else the first by bytes"))
    table.note("sample_ratio", .text(sampleRatioText(plan, expectations)))
    if plan.isPostStratified, let dimension {
      table.note("strata", .text(dimension.description))
    }
  }

  /// Describes the expectations that units were tested against, with the number of comparisons that used each.
  private static func sampleRatioText(
    _ plan: ComparisonPlan, _ expectations: [String: Int]
  ) -> String {
    guard plan.testsSampleRatio else { return "not tested" }
    let shares = plan.expectedShares.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let given = shares.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    let used = expectations.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      "\($0.key) (\($0.value) experiments, points or slots)"
    }
    return "mismatch below \(SampleRatioRule.level), expected "
      + (given.isEmpty ? used.joined(separator: "; ") : given)
  }

  /// Returns notes of what was read and what was not counted, rule by rule.
  static func ledgerNotes(_ ledger: MetricLedger) -> [(String, Int)] {
    [
      ("units_assigned", ledger.assignedUnits), ("units_in_several_variants", ledger.crossedUnits),
      ("units_in_progress", ledger.unitsInProgress),
      ("exposures_after_end", ledger.exposuresAfterEnd),
      ("decisions_unconfirmed", ledger.unconfirmedDecisions),
      ("decisions_excluded", ledger.excludedDecisions),
      ("decisions_of_unknown_status", ledger.unknownDecisions),
      ("decisions_left_out", ledger.leftOutDecisions), ("goals_counted", ledger.countedGoals),
      ("goals_not_counted", ledger.uncountedGoals), ("goals_refused", ledger.refusedGoals),
    ]
  }
}
