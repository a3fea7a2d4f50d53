internal import OffPolicy
internal import Specifications

extension EvaluationReport {
  public static let explanation = Explanation(
    question: "what would another policy have earned, as far as the log can tell?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, choices, propensity, probabilities, status, reason, \
      context, features), decisionConfirmed, goals (time, unit, experiment, point, slot, goal, value, status); with \
      --truth those of a second log
      """,
    of: [.support, .overlap, .propensities, .weights, .values, .versus, .windows, .time, .truth]
      .map(EvaluationTables.empty.draft),
    rules: estimatorEntries + intervalEntries + otherEntries
      + Explanation.words(of: "verdict", \EvaluationVerdict.Answer.meaning))

  /// An entry for each estimator.
  private static let estimatorEntries: [Explanation.Entry] = EstimatorCatalog.standard.all.map {
    Explanation.Entry("estimator \($0.name)", $0.summary, source: $0.source)
  }

  /// An entry for each method of intervals.
  private static let intervalEntries: [Explanation.Entry] = IntervalCatalog.standard.all.map {
    Explanation.Entry(
      "ci_low, ci_high: interval \($0.name)",
      $0.summary + "; empty where it does not apply to the estimator",
      source: $0.source)
  }

  private static let otherEntries: [Explanation.Entry] = [
    .init(
      "--plot-estimates, --plot-weights, --plot-time",
      """
      value and intervals by policy and estimator, with the truth if there is one; shares of decisions and of weight \
      by powers of two of the weight; value by period with its normal interval, by the first estimator that has it
      """, source: "definition"),
    .init(
      "decisions_without_propensity, decisions_with_wrong_propensity, decisions_with_unknown_variant",
      """
      confirmed decisions that are not used: without propensity; with one outside (0, 1]; with a variant that is not \
      among their choices
      """, source: "definition"),
    .init(
      "logged_propensities",
      "whether each variant of a slot always has the same propensity, as under a fixed policy that looks at nothing",
      source: "definition"),
  ]
}
