extension DecisionReport {
  public static let explanation = Explanation(
    question: "ship each variant, roll it back, or keep running?",
    inputs: "as report compare, and an analysis file (--analysis) with the metrics that decide",
    entries: [
      .init(
        "recommendation: do not read",
        "report compare forbids reading the goal metric or a guardrail; its reason is the reason",
        source: "A. Fabijan et al., Diagnosing sample ratio mismatch, 2019"),
      .init(
        "recommendation: roll back",
        """
        a guardrail is significantly lower and the interval of its lift is not above -margin (without a margin: significantly \
        lower), or else the goal metric is significantly lower
        """, source: "R. Kohavi et al., Trustworthy online controlled experiments, 2020"),
      .init(
        "recommendation: ship",
        """
        the goal metric is significantly higher and no guardrail is worse; the reason names guardrails with a margin that \
        their interval does not keep
        """, source: "M. Schultzberg et al., Risk-aware product decisions in A/B tests, 2024"),
      .init(
        "recommendation: keep running, until",
        """
        neither, and fewer units than minimum_effect needs at 80 % power and a level of 0.05 (report power, times the number \
        of variants); until: last day with a new unit + (needed - units) / units per day so far, rounded up
        """, source: "J. Cohen, Statistical power analysis, 1988"),
      .init(
        "recommendation: stop",
        "neither, with all units that minimum_effect needs: an effect of that size would have been found in 80 % of cases",
        source: "J. Cohen, Statistical power analysis, 1988"),
      .init(
        "metric, lift, lift_ci, p_value, verdict, warnings",
        "of the goal metric, as in report compare by its default method", source: "definition"),
    ])
}
