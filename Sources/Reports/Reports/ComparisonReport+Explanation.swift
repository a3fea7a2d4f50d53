extension ComparisonReport {
  public static let explanation = Explanation(
    question: "which variant is higher, by how much, and can that be trusted?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed; goals, conversions and \
      all other events of units as far as a metric needs them
      """,
    entries: [
      .init(
        "units",
        """
        units by the variant of their first exposure (confirmed or repeated decision) at a point and slot; units in several \
        variants are left out and counted; no row counts a unit twice
        """, source: "definition"),
      .init(
        "mean, variance",
        """
        over units, of the metric from the first exposure on (its very time included), within --window (goals: none, \
        conversions: 7d), cut at --cap; --limit N: the first N goals of each code, and the first N conversions of each, \
        of a unit at a point and slot; a goal that names a point or slot counts only there; converted: any that is not negative; n - 1 for \
        means, p(1 - p) for converted, for ratios (Var n - 2 R Cov + R^2 Var d) / mean(d)^2
        """,
        source: "A. Deng et al., Applying the delta method in metric analytics, 2018"),
      .init(
        "difference, ci, p_value (welch, the default)",
        """
        t = (T - C) / sqrt(vT/nT + vC/nC), degrees of freedom of Welch and Satterthwaite; also of 0/1 metrics, where \
        pooled and unpooled z, chi-squared and Fisher can be asked for; of 0/1 metrics with fewer than 5 units of \
        either value in a variant the score test of Miettinen and Nurminen and its intervals instead (method says so). \
        Where --alternative is greater or less the interval is bounded on that side only. No test where the values of \
        a variant do not vary, or by no more than rounding (pooled: where those of both do not)
        """,
        source: "B. L. Welch, The generalization of 'Student's' problem, 1947"),
      .init(
        "with --cuped",
        """
        T - theta (x - mean x), where x is the same metric before the first exposure and theta = Cov/Var over both groups \
        (--theta within-groups: within each). Of a ratio, x is the ratio of the same numerator and denominator before it, and \
        Cov and Var are those of both by the delta method. Refused for methods of proportions, ranks and replicates
        """,
        source: "A. Deng et al., Improving the sensitivity of online controlled experiments, 2013"),
      .init(
        "with --post-stratify", "sum w_s (T_s - C_s), w_s the stratum's share of units; z",
        source: "L. W. Miratrix et al., Adjusting treatment effect estimates, 2013"),
      .init(
        "with --margin",
        "one-sided Welch test of T - C > -margin, with the one-sided interval that leaves -margin out when it rejects",
        source: "Non-inferiority: ICH E9, 1998"),
      .init(
        "pooled-z, unpooled-z, chi-squared, yates, fisher",
        """
        tests of the 2 x 2 table of units and converters; intervals of pooled-z, chi-squared and yates hold the differences \
        and ratios that the same test does not reject; fisher has none
        """, source: "K. Pearson 1900; R. A. Fisher 1935; R.-D. Mee 1984; P. A. R. Koopman 1984"),
      .init(
        "newcombe, agresti-caffo, miettinen-nurminen",
        "intervals of the difference of two proportions, without a test",
        source: "Newcombe 1998; Agresti and Caffo 2000; Miettinen and Nurminen 1985"),
      .init(
        "mann-whitney",
        "normal approximation with ties and continuity; difference is that of the means",
        source: "H. B. Mann and D. R. Whitney, 1947"),
      .init(
        "bootstrap",
        """
        intervals between two replicates, in each of which a unit has a weight from Poisson(1), by the hash of its \
        name: the two next beyond the percentiles
        """,
        source: "N. Chamandy et al., Estimating uncertainty for massive data streams, 2012"),
      .init(
        "msprt, scaled-msprt, asymptotic-cs, group-sequential",
        """
        p-values and intervals that hold at every look (group-sequential: at the looks planned; statistic z against the \
        boundary in status); below 20 units, or 5 with and 5 without a value for 0/1 metrics (5 with one for others), in a \
        variant they are not valid yet: p = 1 and no interval
        """,
        source: """
          Johari et al. 2017; Statsig's documentation; Waudby-Smith et al. 2024; Lan and DeMets 1983
          """),
      .init(
        "lift, lift_ci",
        """
        T/C - 1. By default (--lift-method auto) the interval leaves 0 out exactly where the row's test, posterior or \
        interval of the difference does: Fieller's set of all r with |T - C - r C| <= q sqrt(Var), q the critical value of \
        the method (t, z or boundary); score intervals of the ratio for pooled-z, chi-squared, yates, miettinen-nurminen and \
        few events; Wilson's intervals put together for newcombe; posteriors for bayes, bayes-lift and beta-binomial; \
        replicates for bootstrap; none for fisher and mann-whitney. No lift, with the reason in status, where the baseline's \
        mean is negative or zero, or so near it that the set is unbounded: the verdict is that of the difference. delta, \
        delta-z, log, log-z, fieller (z), ratio-log and ratio-score on request: those of other tools, at the boundary of a \
        sequential method and on the side that is tested, which may contradict the verdict
        """,
        source: """
          E. C. Fieller 1954; P. A. R. Koopman 1984; A. Donner and G. Y. Zou 2012; D. Katz et al. 1978; Miettinen and \
          Nurminen 1985
          """),
      .init(
        "chance_to_win, expected_loss",
        """
        Phi(d/SE) and E max(0, -effect) of the normal posterior with a flat prior; bayes and bayes-lift take --prior, that of \
        bayes-lift in shares of the mean over both variants (and so is its expected loss, of the baseline's); beta-binomial \
        by quadrature from Beta(1, 1)
        """, source: "C. Stucchio, Bayesian A/B testing at VWO, 2015"),
      .init(
        "p_value_adjusted", "over all p-values of the report: --correction",
        source: "Holm 1979; Hochberg 1988; Hommel 1988; Benjamini and Hochberg 1995"),
      .init(
        "srm_p_value",
        """
        units against --expect, else the logged probabilities, else equal shares of the choices, by the test of report health \
        (sample_ratio there), over first exposures, those of units that are left out too; none where --expect none
        """,
        source: "A. Fabijan et al., Diagnosing sample ratio mismatch, 2019"),
    ] + verdictEntries)
}
