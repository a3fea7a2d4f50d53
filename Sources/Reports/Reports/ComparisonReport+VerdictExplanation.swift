internal import Replay
internal import Statistics
internal import Tables

extension ComparisonReport {
  private typealias Columns = ReportColumns<Row>

  static var verdictColumn: ReportColumns<Row> {
    .explained(
      """
      better, worse (higher, lower where direction=neutral): significant at --alpha by the adjusted p-value, boundary, \
      posterior or interval; no difference found: not significant; too early: few_events; margin kept, margin not \
      shown: with --margin; not valid: a rule below forbids it; not compared: nothing to test. The first rule that \
      forbids decides, before any p-value
      """,
      .measure(
        "verdict", ComparisonVerdict.allCases.map(\.rawValue).joined(separator: ", "),
        \.judged.verdict.rawValue
      ).main)
  }

  /// The reason and the warnings, with the rules by the names with which both begin.
  @ColumnsBuilder<Row>
  static var reasonColumns: ReportColumns<Row> {
    Columns.measure(
      "reason", "why this verdict: the rule and the numbers that decided", \.judged.reason
    ).sentence.main
    Columns.measure("warnings", "what else to know before reading it; empty if nothing") {
      $0.judged.warnings.isEmpty ? nil : $0.judged.warnings
    }.sentence
    Columns.explained(
      """
      with --analysis: too early before the units or the first look of the plan, or with too few events; the p-values, \
      intervals and chances of the row are left out, which would mislead
      """, as: "reason: \(RecruitmentPace.rule)")
    Columns.explained(
      "forbids reading where srm_p_value is below 0.001: the variants' units are not comparable, whatever the lift",
      source: "A. Fabijan et al., Diagnosing sample ratio mismatch, 2019",
      as: "reason: sample_ratio")
    Columns.explained(
      """
      units first exposed at the point and slot that were later exposed to another variant there: warns from the \
      first on, forbids above 1 %; never forbids with --crossing first, which leaves no unit out, and where \
      propensities are those of an adaptive policy
      """, source: "R. Kohavi et al., Trustworthy online controlled experiments, 2020, chapter 21",
      as: "reason, warnings: crossed_units")
    Columns.explained(
      """
      variants that differ in conversions, revenue or goals in the 14 days before the first exposure: warns at p < \
      0.01, forbids at p < 0.001; report health has the test
      """, source: "R. Kohavi et al., Trustworthy online controlled experiments, 2020, chapter 19",
      as: "reason, warnings: pre_exposure_*")
    Columns.explained(
      """
      late events above 1 %, orphan goals above 1 %, duplicates and lost events from the first on, of the whole log \
      or of the experiment, and only of what the metric counts; thresholds as in report health
      """,
      as: "warnings: late_events, orphan_goals, duplicate_goals, duplicate_conversions, lost_events"
    )
    Columns.explained(
      """
      not compared: logged propensities that change: means over units are biased where a policy learned, and not \
      comparable where it used context; report adaptive
      """, source: "V. Hadad et al., Confidence intervals for policy evaluation, 2021",
      as: "reason: adaptive_policy")
    Columns.explained(
      """
      a variant has too few units with a value (for 0/1 metrics: that are 1, or that are 0) for a variance of its own: \
      fewer than 5, and, where variants are of unequal size, 5 times their ratio, at most 50 (of 0/1 metrics only at a \
      single look and where less than a quarter of the units have one). For 0/1 metrics the default test and group- \
      sequential are replaced by an exact test (mid-p: under rates of rare events it keeps the level, also with \
      unequal shares, where a score test decides up to 8 % of A/A experiments at 5 looks), asymptotic-cs by an exact \
      confidence sequence. In others the variance of both is at least that of all units together, which is theirs \
      under no difference (of A/A comparisons of revenue at shares of 1 to 9 with 20 buyers in the smaller variant \
      Welch's test finds a difference in 10 %, this in 1 %). A warning each. Too early with fewer than 5 expected of a \
      variant by the rate of both together; with bootstrap and of ratios, fewer than 5 of its own
      """, source: "H. O. Lancaster, Significance tests in discrete distributions, 1961",
      as: "reason, warnings: few_events")
    Columns.explained(
      """
      every unit of a variant has the same value, so that Welch's error would be that of the other alone: not \
      compared; names metrics that do vary, where the log has any
      """, as: "reason: no_variance")
    Columns.explained(
      """
      conversions that are marked as negative, or whose revenue is below 0, are among those that are counted, besides \
      others: a refund makes the variant's number of conversions larger, and its revenue smaller
      """, as: "warnings: negative_conversions")
    Columns.explained(
      """
      of a breakdown (--by): Cochran's Q over the values of the dimension, sum ((d - mean d) / SE)^2 with d weighted by \
      1/SE^2, chi-squared with one degree of freedom less than values; the answer tells the least p-value of all metrics \
      and variants against --alpha divided by their number. For it and in the plot values of fewer than 100 units, and \
      those beyond the 20 largest, are one, with their mean effect weighted by units; values without a valid effect \
      are left out, and the plot names them
      """, source: "W. G. Cochran, The combination of estimates from different experiments, 1954",
      as: "heterogeneity")
    Columns.explained(
      """
      what decided where nothing forbids: the adjusted p-value against --alpha, the statistic against the boundary of \
      the look, the posterior against 1 - alpha/2, or whether the interval holds 0; no_test: why there is none
      """, as: "reason: p_value, boundary, chance_to_win, interval, no_test")
  }
}
