extension Explanations {
  static let rewards = Explanation(
    report: "rewards", question: "what did each variant earn?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed, goals (time, unit, \
      experiment, point, slot, goal, value, status)
      """,
    entries: [
      .init(
        "decisions",
        """
        confirmed decisions; a provisional one counts from its decisionConfirmed on; repeated and excluded ones never \
        count
        """, source: "definition"),
      .init("units", "distinct units among these decisions", source: "definition"),
      .init(
        "rewards, reward_sum",
        """
        goals credited and their values (1 where none is given), to the latest counted decision of the same unit, \
        experiment, point and slot at or before the goal (--attribution: first, all, linear), within --window; at equal \
        times decisions come first; a goal that names a point or slot is credited only there; --limit N: the first N goals \
        of a unit in the experiment that would be credited (--once: the first one)
        """, source: "definition"),
      .init(
        "reward_mean, reward_variance",
        """
        over decisions (--per unit: over units): sum / n and sum((x - mean)^2) / (n - 1), where x is the sum of the \
        values credited, 0 if none; exact sums, rounded once
        """,
        source: "R. M. Neal, Fast exact summation using small and large superaccumulators, 2015"),
      .init(
        "ci_low, ci_high", "mean -/+ t(1 - alpha/2, n - 1) * sqrt(variance / n)",
        source: "Student, The probable error of a mean, 1908"),
    ])
}
