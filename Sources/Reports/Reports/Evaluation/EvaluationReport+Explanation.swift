extension EvaluationReport {
  public static let explanation = Explanation(
    question: "what would another policy have earned, as far as the log can tell?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, choices, propensity, probabilities, status, reason, \
      context), decisionConfirmed, goals (time, unit, experiment, point, slot, goal, value, status)
      """,
    entries: [
      .init(
        "decisions, units", "confirmed decisions with a propensity in (0, 1], and their units",
        source: "definition")
    ])
}
