extension SeriesReport {
  public static let explanation = Explanation(
    question: "what happened on each day?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason, propensity), decisionConfirmed, goals \
      (time, unit, experiment, point, slot, goal, value, status)
      """,
    entries: [
      .init(
        "day (week, hour)",
        """
        start of the period in UTC; weeks begin on Monday (ISO 8601). Every variant has a row for each period from the \
        first to the last in which something happened at its experiment, point and slot; where more than nine tenths of \
        more than 1,000 rows would be of periods without events, these have rows only with --empty-periods. With --cohorts everything is in \
        the period of its unit's first decision for the variant
        """, source: "definition"),
      .init(
        "decisions, units, active_units",
        """
        confirmed decisions of the period; units with their first decision for the variant; distinct units among the \
        decisions
        """, source: "definition"),
      .init(
        "rewards, reward_sum",
        """
        goals of the period and their values, credited to the latest counted decision of the same unit, experiment, point \
        and slot, whenever that was made
        """, source: "definition"),
      .init(
        "cumulative_decisions, cumulative_units, cumulative_reward_sum",
        "sums of decisions, units and reward_sum from the first period on", source: "definition"),
      .init(
        "reward_mean, ci_low, ci_high",
        """
        over all decisions up to the end of the period, each with the goals credited up to then: mean -/+ t(1 - alpha/2, n \
        - 1) * sqrt(variance / n); with looks at many days the interval does not hold for all of them together
        """, source: "Student, The probable error of a mean, 1908"),
      .init(
        "decision_share",
        "decisions / decisions of all variants of the same experiment, point and slot (and value) in the period",
        source: "definition"),
      .init(
        "propensity_mean, decisions_with_propensity",
        "mean propensity of the variant where it was chosen and the propensity is known, and how often it is",
        source: "definition"),
    ])
}
