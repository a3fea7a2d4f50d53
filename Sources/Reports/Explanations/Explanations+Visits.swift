extension Explanations {
  static let visits = Explanation(
    report: "visits", question: "how often did units come, for how long, and with what result?",
    inputs: """
      all events of units (time, unit); of decisions experiment, point, slot, variant and status; of goals experiment, \
      point, slot and status; of conversions negative
      """,
    entries: [
      .init(
        "units, visits, events",
        """
        a visit is a run of events of a unit with gaps of --inactivity at most (30 min); the row with empty keys has all \
        units, a variant those whose first exposure (confirmed or repeated decision) at the point and slot was to it, and \
        their events from then on
        """, source: "definition"),
      .init(
        "visits_per_unit, ci_low, ci_high",
        "mean -/+ t(1 - alpha/2, n - 1) * sqrt(variance / n) over units",
        source: "Student, The probable error of a mean, 1908"),
      .init(
        "events_per_visit, events_ci_low, events_ci_high",
        """
        R = sum(events) / sum(visits) -/+ z(1 - alpha/2) * sqrt((Var e - 2 R Cov(e, v) + R^2 Var v) / (mean(v)^2 n)) \
        over units
        """,
        source: "A. Deng et al., Applying the delta method in metric analytics, KDD 2018"),
      .init(
        "visit_seconds_mean", "mean time from the first to the last event of a visit",
        source: "definition"),
      .init(
        "single_event_share, goal_share",
        """
        visits of one event / visits; visits with a goal of the experiment that was not refused and names no other point \
        or slot, or a conversion that takes none back / visits
        """, source: "definition"),
    ])
}
