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
        of variants, times ((c + q) / (z + q))^2, where c is the half-width of the confidence sequence in standard errors \
        and q = 0.84; or units of the analysis file); with units in the file always before they are there; until: last day with a new unit + (needed - units) / units per day so far, rounded up
        """, source: "J. Cohen, Statistical power analysis, 1988"),
      .init(
        "recommendation: stop",
        "neither, with all units that minimum_effect needs: an effect of that size would have been found in 80 % of cases; or with units of the file",
        source: "J. Cohen, Statistical power analysis, 1988"),
      .init(
        "metric, lift, lift_ci, p_value, verdict, warnings",
        """
        of the goal metric, as in report compare by asymptotic-cs (tightest at 5000 units), which holds at every look: with \
        units in the analysis file by welch, once they are there, and empty before. Guardrails are tested in the same way, \
        each at a level of 0.05; the sample ratio at 0.001 each look
        """,
        source:
          "I. Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences, 2024"
      ),
    ])
}
