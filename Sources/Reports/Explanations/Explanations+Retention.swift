extension Explanations {
  static let retention = Explanation(
    report: "retention", question: "which share of units came back?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed; times of all events of \
      units, of goals experiment, point, slot and status, of conversions negative
      """,
    entries: [
      .init(
        "units, units_too_young",
        """
        units whose first exposure (confirmed or repeated decision) at the point and slot was to the variant, divided by \
        whether first exposure + day + window <= end of the data (the latest event, or --end)
        """, source: "definition"),
      .init(
        "returned",
        """
        units old enough with an event (--on) from first exposure + day on, before first exposure + day + window \
        (--window-days); events before the exposure, and the exposure itself, never count
        """, source: "definition"),
      .init(
        "retention, ci_low, ci_high", "returned / units, with the score interval",
        source: "E. B. Wilson, Probable inference, 1927"),
    ])
}
