internal import Replay
internal import Statistics
internal import Tables

extension ComparisonReport {
  /// Notes the parameters of the comparison.
  static func note(
    _ plan: ComparisonPlan, _ tests: Int, _ expectations: [String: Int], _ dimension: Dimension?,
    _ table: inout Table
  ) {
    table.note("method", plan.method.rawValue)
    table.note("alternative", plan.alternative.rawValue)
    table.note(
      "interval",
      "\(Percent.text(plan.level)), "
        + "\(plan.alternative == .twoSided && plan.margin == nil ? "two-sided" : "one-sided"), not corrected")
    table.note(
      "correction",
      "\(plan.correction?.rawValue ?? "none"), over the \(tests) p-values of this report")
    table.note("lift_interval", plan.lift.rawValue)
    if !plan.method.isBayesian {
      table.note("chance_to_win", "normal posterior of the difference, flat prior")
    }
    table.note("baseline", plan.baseline ?? BaselineRule.text)
    table.note("sample_ratio", sampleRatioText(plan, expectations))
    if plan.isPostStratified, let dimension {
      table.note("strata", dimension.description)
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
}
