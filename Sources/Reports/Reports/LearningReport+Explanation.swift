extension LearningReport {
  public static let explanation = Explanation(
    question:
      "which policy would the log have us use, and how would it have done on decisions it has not seen?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, choices, propensity, status, reason, context, features), \
      decisionConfirmed, goals (time, unit, experiment, point, slot, goal, value, status)
      """,
    entries: [
      .init(
        "part",
        "the latest decisions are held out; the others are for training, and their rewards may come later",
        source: "definition"),
      .init(
        "value of cross-validation",
        "the estimator over all training decisions, each with the policy and the reward model learned without the fold of its unit; folds are by a hash of the unit",
        source: "Stone 1974"),
      .init(
        "chosen",
        "the greatest value of cross-validation, the first of equal ones in the order given",
        source: "definition"),
      .init(
        "value of held-out decisions",
        "the estimator over the held-out decisions, with the policy learned from all training decisions; for logged, the mean reward",
        source: "definition"),
    ])
}
