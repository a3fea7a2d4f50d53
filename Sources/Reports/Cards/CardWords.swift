/// What stands on a card and in no column, in the words of `explain`.
enum CardWords {
  static let entries =
    words + MetricFile.keys.map { Explanation.Entry("key of a metric: \($0)", $1, source: "definition") }

  private static let words = [
    Explanation.Entry(
      "unit", "whoever is assigned: a user, visitor, session or request; it counts once, however often it came",
      source: "definition"),
    Explanation.Entry(
      "exposure",
      "a confirmed or repeated decision, by which a unit gets a variant; the first one at a point and slot says which "
        + "variant the unit belongs to, and goals and conversions count from then on", source: "definition"),
    Explanation.Entry(
      "chance_to_be_best",
      "posterior probability of the best mean of all variants of a card, by quadrature over independent normal "
        + "posteriors with flat priors; none beside more than \(BestChances.mostVariants) variants, where neither "
        + "direction is better, where it is too early for a test, or where the values of a variant do not vary or an "
        + "exact test replaces that of means",
      source: "C. Stucchio, Bayesian A/B testing at VWO, 2015"),
    Explanation.Entry(
      "interval, look",
      "the values that the data do not rule out at the level, which is 1 - alpha; valid at every look, or at the "
        + "planned looks: it holds however often the experiment was read before, else for a single look",
      source: "definition"),
    Explanation.Entry(
      "pp", "percentage points, the difference of two shares: from 10 % to 12 % are 2 pp, and a lift of 20 %",
      source: "definition"),
    Explanation.Entry(
      (["guardrail", ResultCard.heldVerdict] + Recommendation.GuardrailState.allCases.map(\.rawValue))
        .joined(separator: ", "),
      "a metric that must not get worse. holds: the end of the lift's interval on the worse side is within the margin "
        + "(without one: not significantly worse); worse: significantly worse, and not within; not tested: too early, "
        + "too few events, values that do not vary, or data that are not valid; else not shown to hold",
      source: "M. Schultzberg et al., Risk-aware product decisions in A/B tests, 2024"),
    Explanation.Entry(
      "margin, limit",
      "how much worse than the baseline a guardrail may be, as a share of the baseline's mean: margin in the analysis "
        + "file or the file of metrics; with --margin in units of the metric", source: "definition"),
    Explanation.Entry(
      "at worst", "the end of a guardrail's lift interval on the worse side; within the limit the guardrail holds",
      source: "definition"),
    Explanation.Entry(
      "trust, split as planned, failed, with care",
      "whether the data can be believed. yes; no: by the check that forbids reading; with care: by the warnings of the "
        + "goal metric, comparisons without correction for their number, or a split that was not tested",
      source: "definition"),
    Explanation.Entry(
      "p", "p-value: how often equal variants, or units split as planned, would differ at least as much by chance",
      source: "definition"),
    Explanation.Entry(
      "guessed", "no baseline was given and no variant has the name of one: it is the first by name",
      source: "definition"),
    Explanation.Entry(
      "days, as of, next look",
      "days with units so far, of those planned; the time of the last event that was read, or the end that was "
        + "selected before it", source: "definition"),
    Explanation.Entry(
      "tested",
      "what a plan with units or looks tested, and before which day: header and row of the whole log go on, the test "
        + "does not", source: "definition"),
    Explanation.Entry(
      "valid at every look, valid at the planned looks",
      "the interval and the verdict keep their level however often the experiment is read, or at the looks that its "
        + "plan names", source: "definition"),
    Explanation.Entry(
      "minimum_effect, planned lift, ruled out",
      "in an analysis file: the least lift that matters, as 0.05 or 5%; with it the units needed are known. It is "
        + "ruled out where it is beyond the interval of the lift",
      source: "definition"),
    Explanation.Entry(
      "spending, lan-obf, lan-pocock",
      "in an analysis file with looks: how the level is spent over them, lan-obf (little early), lan-pocock (evenly) "
        + "or power=P",
      source: "K. K. G. Lan and D. L. DeMets, Discrete sequential boundaries for clinical trials, 1983"),
    Explanation.Entry(
      "cap", "values above it count as it, so that few large ones do not decide: a number, or pP for a percentile",
      source: "definition"),
    Explanation.Entry(
      "secondary", "in an analysis file: metrics that stand on the card and decide nothing", source: "definition"),
    Explanation.Entry(
      "sample ratio mismatch, split",
      "units of each variant against the planned shares: a mismatch, p below 0.001, says that units are missing or "
        + "counted where they do not belong, and no comparison of the variants is valid",
      source: "A. Fabijan et al., Diagnosing sample ratio mismatch, 2019"),
    Explanation.Entry(
      "shares", "in an analysis file: the planned shares of the variants, such as {control: 0.8, new: 0.2}",
      source: "definition"),
    Explanation.Entry(
      "dimensions", "in an analysis file: breakdowns beside the rows of the whole experiment, written as for --by",
      source: "definition"),
    Explanation.Entry(
      "next", "what to do, by the recommendations of the plan; without a plan by the verdicts alone",
      source: "definition"),
    Explanation.Entry(
      "more", "the variants that a card has no room for: more than \(ResultCard.mostVariants)", source: "definition"),
  ]
}
