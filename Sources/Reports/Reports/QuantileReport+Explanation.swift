extension QuantileReport {
  public static let explanation = Explanation(
    question: "how is what units do after their first exposure distributed in each variant?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed, conversions (time, \
      unit, goal, revenue, negative), goals (time, unit, experiment, point, slot, goal, value, status) for reward, \
      goal-value and goal-delay
      """,
    entries: [
      .init(
        "metric",
        """
        revenue: the sum of a unit's conversions; conversion-value: of each conversion; conversion-delay: seconds from \
        the first exposure of a unit to its first conversion that is not negative; reward, goal-value and goal-delay: \
        the same of the goals of the experiment
        """, source: "definition"),
      .init(
        "units",
        "distinct units of the variant, and which conversions count for them, as in `report conversions`",
        source: "definition"),
      .init(
        "value",
        """
        the quantile of all values, which are kept one by one (8 bytes each, zeros only counted); --type says what it is \
        between two values: 7 is linear with (n - 1)p + 1
        """, source: "R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, 1996"),
      .init(
        "ci_low, ci_high, ci_coverage",
        """
        the values of rank l and u, with l the greatest with P(B <= l - 1) <= alpha/2 and u the least with \
        P(B >= u) <= alpha/2, B binomial(n, quantile); it holds for any distribution of independent values. Those of \
        several conversions or goals of a unit are not: with any such unit there is no interval, and status says so
        """, source: "W. J. Conover, Practical Nonparametric Statistics, 1999, section 3.2"),
      .init(
        "values, zeros",
        """
        how many values there are, and how many of them are 0: units without a conversion have a revenue of 0 and no \
        delay; --ignoring-zeros leaves zeros out
        """, source: "definition"),
    ])
}
