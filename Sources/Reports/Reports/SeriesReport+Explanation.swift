internal import Replay

extension SeriesReport {
  public static let explanation = Explanation(
    question: "what happened on each day?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason, propensity), decisionConfirmed, goals \
      (time, unit, experiment, point, slot, goal, value, status)
      """, of: columns(.day))
}
