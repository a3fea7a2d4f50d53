extension Explanations {
  static let funnel = Explanation(
    report: "funnel", question: "how many units came how far on a way of steps?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed, goals (time, unit, \
      experiment, point, slot, goal, status), conversions (time, unit, goal, negative)
      """,
    entries: [
      .init(
        "units",
        """
        units whose first exposure (confirmed or repeated decision) at the point and slot was to the variant; those seen \
        in several variants there are left out (--crossing first: belong to the first)
        """, source: "definition"),
      .init(
        "reached",
        """
        units with the step after the step before, by event time and then position in the log, all of them after the \
        exposure at equal times (--any-order: with the step and all before it after the exposure), within --window of the \
        first exposure; refused goals, goals that name another point or slot, and conversions that take one back are no \
        step
        """, source: "definition"),
      .init(
        "share, ci_low, ci_high, share_of_previous, previous_ci_low, previous_ci_high",
        "reached / units, and reached / reached of the step before, with score intervals",
        source: "E. B. Wilson, Probable inference, 1927"),
      .init(
        "median_seconds",
        "exact median of the time since the step before; the mean of the middle two of an even number",
        source: "definition"),
      .init(
        "units_in_progress",
        "units whose window was not over at the latest event of the log; they are in units all the same",
        source: "definition"),
    ])
}
