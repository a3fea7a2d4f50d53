extension Explanations {
  static let conversions = Explanation(
    report: "conversions",
    question: "what did the units of each variant do after they were first exposed to it?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed, conversions (time, unit, \
      goal, revenue, negative), or goals (time, unit, experiment, point, slot, goal, value, status) with --of goals
      """,
    entries: [
      .init(
        "units",
        """
        distinct units that belong to the variant: that of their first exposure (confirmed or repeated decision) at a \
        point and slot of the experiment; units that saw two variants at one point and slot are left out there (--crossing \
        first: stay at the first), and counted in the notes; variants at other points or slots are other things, and a \
        unit can have several
        """, source: "definition"),
      .init(
        "conversions",
        """
        from the first exposure on (its very time included; --delay later) up to and including the end of --window \
        (7 days; with --of goals none), all of them, negative ones too; --limit N: the first N of a unit in the \
        experiment that would count, over all goals (--once: the first one); a goal that names a point or slot only \
        counts there; every conversion is in the notes under the rule that came nearest to letting it count
        """, source: "definition"),
      .init(
        "converters", "units with at least one such conversion that is not negative",
        source: "definition"),
      .init(
        "revenue_sum",
        """
        revenue of these conversions, negative ones subtracted, 0 where none is given (goals: 1); with --cap or \
        --cap-percentile the sum over units after cutting
        """, source: "definition"),
      .init("conversion_rate", "converters / units", source: "definition"),
      .init(
        "ci_low, ci_high",
        """
        (p + z^2/2n -/+ z * sqrt(p(1 - p)/n + z^2/4n^2)) / (1 + z^2/n), p = conversion_rate, n = units, \
        z = the normal quantile of 1 - alpha/2
        """,
        source:
          "E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927"
      ),
      .init(
        "revenue_mean, revenue_variance",
        """
        over units: sum / n and sum((x - mean)^2) / (n - 1), where x is the revenue of a unit, 0 for those without any; \
        exact sums, rounded once
        """,
        source: "R. M. Neal, Fast exact summation using small and large superaccumulators, 2015"),
      .init(
        "revenue_ci_low, revenue_ci_high", "mean -/+ t(1 - alpha/2, n - 1) * sqrt(variance / n)",
        source: "Student, The probable error of a mean, 1908"),
      .init(
        "revenue_cap, units_capped",
        """
        with --cap the value given; with --cap-percentile the quantile (type 7) of the revenues of all units of the \
        experiment, over all variants, for each goal; of those that are not 0 with --cap-ignoring-zeros. Only the \
        percentile keeps the revenue of every converter: 8 bytes each
        """, source: "R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, 1996"),
    ])
}
