internal import Replay
internal import Statistics
internal import Tables

extension ComparisonReport {
  public static let explanation = Explanation(
    question: "which variant is better, by how much, and can that be trusted?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed; goals, conversions \
      and all other events of units as far as a metric needs them
      """, of: columns,
    rules: [
      Explanation.Entry(
        "recommendation, until, recommendation_reason",
        "with --analysis: what report decisions says of the variant, in the row of the goal metric",
        source: "definition")
    ] + Explanation.metrics(of: .unit)
      + Explanation.words(of: "verdict", \ComparisonVerdict.meaning))

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var columns: ReportColumns<Row> {
    Columns.comparison(\.pair)
    Columns.variant(\.pair.names).compared.main
    verdictColumn
    Columns.explained(
      """
      T/C - 1. By default (--lift-method auto) the interval leaves 0 out exactly where the row's test, posterior or \
      interval of the difference does: Fieller's set of all r with |T - C - r C| <= q sqrt(Var), q the critical value \
      of the method (t, z or boundary); score intervals of the ratio for pooled-z, chi-squared, yates, \
      miettinen-nurminen and few events; Wilson's intervals put together for newcombe; posteriors for bayes, \
      bayes-lift and beta-binomial; replicates for bootstrap; none for fisher and mann-whitney. No lift, with the \
      reason in status, where the baseline's mean is negative or zero, or so near it that the set is unbounded: the \
      verdict is that of the difference. delta, delta-z, log, log-z, fieller (z), ratio-log and ratio-score on \
      request: those of other tools, at the boundary of a sequential method and on the side that is tested, which may \
      contradict the verdict
      """,
      source: """
        E. C. Fieller 1954; P. A. R. Koopman 1984; A. Donner and G. Y. Zou 2012; D. Katz et al. 1978; Miettinen and \
        Nurminen 1985
        """, .measure("lift", "variant over baseline less 1", \.result.lift?.estimate).share.main,
      .interval("lift_ci", "the lift's interval", \.result.lift?.interval).share.main)
    Columns.measure(
      "p_value", "against no difference, or against the margin", \.result.difference?.pValue
    ).pValue.main
      .explained(with: "difference")
    Columns.explained(
      """
      units by the variant of their first exposure (confirmed or repeated decision) at a point and slot; units in \
      several variants are left out and counted; no row counts a unit twice
      """, .measure("units", "units that belong to the variant", \.pair.treatment.units))
    Columns.explained(
      """
      over units, of the metric from the first exposure on (its very time included), within --window (goals: none, \
      conversions: 7d), cut at --cap; --limit N: the first N goals of each code, and the first N conversions of each, \
      of a unit at a point and slot; a goal that names a point or slot counts only there; converted: any that is not \
      negative; n - 1 for means, p(1 - p) for converted, for ratios (Var n - 2 R Cov + R^2 Var d) / mean(d)^2
      """, source: "A. Deng et al., Applying the delta method in metric analytics, 2018",
      .measure("mean", "their mean, or ratio of sums", \.pair.treatment.point).estimate)
    Columns.explained(
      """
      t = (T - C) / sqrt(vT/nT + vC/nC), degrees of freedom of Welch and Satterthwaite; also of 0/1 metrics, where \
      pooled and unpooled z, chi-squared and Fisher can be asked for; of 0/1 metrics with fewer than 5 units of \
      either value in a variant the exact test of the 2 x 2 table instead, by mid-p, with the score intervals of \
      Miettinen and Nurminen, moved where needed to leave 0 out exactly where it rejects (method says so). \
      Where --alternative is greater or less the interval is bounded on that side only. No test where the values of \
      a variant do not vary, or by no more than rounding (pooled: where those of both do not)
      """, source: "B. L. Welch, The generalization of 'Student's' problem, 1947",
      as: "difference, ci, p_value (welch, the default)",
      .measure(
        "difference", "variant less baseline, adjusted if the method says so",
        \.result.difference?.estimate
      ).estimate,
      .measure(
        "ci_low", "lower end of the difference's interval; one-sided where one side is tested"
      ) { $0.result.difference?.interval?.low }.estimate,
      .measure("ci_high", "upper end of the difference's interval") {
        $0.result.difference?.interval?.high
      }.estimate)
    Columns.explained(
      """
      T - theta (x - mean x), where x is the same metric before the first exposure and theta = Cov/Var over both \
      groups (--theta within-groups: within each). Of a ratio, x is the ratio of the same numerator and denominator \
      before it, and Cov and Var are those of both by the delta method. Refused for methods of proportions, ranks and \
      replicates, which leave out the covariate that a metric has of its own
      """,
      source: "A. Deng et al., Improving the sensitivity of online controlled experiments, 2013",
      as: "with --cuped")
    Columns.explained(
      "sum w_s (T_s - C_s), w_s the stratum's share of units; z",
      source: "L. W. Miratrix et al., Adjusting treatment effect estimates, 2013",
      as: "with --post-stratify")
    Columns.explained(
      "one-sided Welch test of T - C > -margin (< margin where direction=lower), with the one-sided interval that "
        + "leaves it out when it rejects",
      source: "Non-inferiority: ICH E9, 1998", as: "with --margin")
    Columns.explained(
      """
      tests of the 2 x 2 table of units and converters; intervals of pooled-z, chi-squared and yates hold the \
      differences and ratios that the same test does not reject; fisher has none
      """, source: "K. Pearson 1900; R. A. Fisher 1935; R.-D. Mee 1984; P. A. R. Koopman 1984",
      as: "pooled-z, unpooled-z, chi-squared, yates, fisher")
    Columns.explained(
      "intervals of the difference of two proportions, without a test",
      source: "Newcombe 1998; Agresti and Caffo 2000; Miettinen and Nurminen 1985",
      as: "newcombe, agresti-caffo, miettinen-nurminen")
    Columns.explained(
      "normal approximation with ties and continuity; difference is that of the means",
      source: "H. B. Mann and D. R. Whitney, 1947", as: "mann-whitney")
    Columns.explained(
      """
      intervals between two replicates, in each of which a unit has a weight from Poisson(1), by the hash of its \
      name: the two next beyond the percentiles
      """, source: "N. Chamandy et al., Estimating uncertainty for massive data streams, 2012",
      as: "bootstrap")
    Columns.explained(
      """
      p-values and intervals that hold at every look (group-sequential: at the looks planned; statistic z against the \
      boundary in status); below 20 units, or 5 with and 5 without a value for 0/1 metrics (5 with one for others), \
      in a variant they are not valid yet: p = 1 and no interval. Of 0/1 metrics two of them are exact then: \
      asymptotic-cs, by the pairs of proportions that the product of two Beta-binomial mixtures does not reject, \
      p = sup of its inverse over a common proportion; and group-sequential, by mid-p against the boundary. Each \
      keeps its level; both stages of asymptotic-cs together decided at most 3.1 % of 4,000 simulated A/A experiments \
      (40 looks, 20,000 units, rates from 0.02 to 3 %)
      """,
      source: """
        Johari et al. 2017; Statsig's documentation; Waudby-Smith et al. 2024; Lan and DeMets 1983; Howard et al. 2021
        """, as: "msprt, scaled-msprt, asymptotic-cs, group-sequential")
    detailColumns
  }

  @ColumnsBuilder<Row>
  private static var detailColumns: ReportColumns<Row> {
    Columns.key("baseline", "the variant that it is compared with", \.pair.baseline)
    reasonColumns
    Columns.measure("variance", "variance of one unit", \.pair.treatment.mean?.variance).explained(
      with: "mean")
    Columns.measure("standard_deviation", "its square root") {
      $0.pair.treatment.mean?.variance.squareRoot()
    }
    Columns.measure("baseline_units", "units that belong to the baseline", \.pair.control?.units)
    Columns.measure("baseline_mean", "their mean, or ratio of sums", \.pair.control?.point)
    Columns.measure(
      "baseline_variance", "variance of one unit of the baseline", \.pair.control?.mean?.variance)
    Columns.measure(
      "standard_error", "standard error of the difference", \.result.difference?.standardError
    ).estimate
    Columns.measure("statistic", "the statistic of the method", \.result.difference?.statistic)
    Columns.measure("degrees_of_freedom", "its degrees of freedom; empty when normal") {
      $0.result.difference?.statistic == nil ? nil : $0.result.difference?.degreesOfFreedom
    }
    Columns.explained(
      "over all p-values of the report: --correction; the verdict follows it, and intervals are not corrected",
      source: "Holm 1979; Hochberg 1988; Hommel 1988; Benjamini and Hochberg 1995",
      .measure("p_value_adjusted", "the same, adjusted over all rows of the report", \.adjusted)
        .pValue)
    Columns.explained(
      """
      Phi(d/SE) and E max(0, -effect) of the normal posterior with a flat prior, of -d where direction=lower, none \
      where neutral; bayes and bayes-lift take --prior, \
      that of bayes-lift in shares of the mean over both variants (and so is its expected loss, of the baseline's); \
      beta-binomial by quadrature from Beta(1, 1)
      """, source: "C. Stucchio, Bayesian A/B testing at VWO, 2015",
      .measure(
        "chance_to_win", "posterior probability that the variant is better", \.result.chanceToWin
      ).share,
      .measure("expected_loss", "what choosing the variant loses on average", \.result.expectedLoss)
        .estimate)
    Columns.explained(
      """
      units against --expect, else the logged probabilities, else equal shares of the choices, by the test of report \
      health \
      (sample_ratio there), over first exposures, those of units that are left out too; none where --expect none
      """, source: "A. Fabijan et al., Diagnosing sample ratio mismatch, 2019",
      .measure(
        "srm_p_value", "whether counts of units fit their shares (chi-squared)", \.pair.sampleRatio
      ).pValue)
    Columns.measure("status", "why a value is not there", \.result.status)
    Columns.measure("method", "what made difference, interval and p-value", \.result.method)
    Columns.measure("lift_method", "what made the interval of the lift") {
      $0.result.lift?.interval == nil ? nil : $0.result.liftMethod
    }
    Columns.measure("direction", "which values of the metric are better: higher, lower or neutral") {
      $0.pair.treatment.metric.direction.rawValue
    }
  }
}
