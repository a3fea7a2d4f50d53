extension LearningReport {
  public static let explanation = Explanation(
    question:
      "which policy would the log have us use, and how would it have done on decisions it has not seen?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, choices, propensity, status, reason, context, \
      features), decisionConfirmed, goals (time, unit, experiment, point, slot, goal, value, status)
      """,
    of: columns, rules: policyEntries)

  /// pi are the policy's probabilities, c the chosen variant, r the reward, p the propensity and q the predictions of
  /// the reward model.
  private static let policyEntries: [Explanation.Entry] = [
    .init(
      "objective ips", "sum of pi(c) r / p over the decisions, over their number",
      source: "Bottou et al. 2013"),
    .init(
      "objective snips", "sum of pi(c) r / p over sum of pi(c) / p",
      source: "Swaminathan and Joachims 2015"),
    .init(
      "objective dr",
      "mean of v + pi(c) (r - q(c)) / p, v = sum over choices of pi q; q by --reward-model",
      source: "Dudik, Langford and Li 2011"),
    .init(
      "objective regression", "mean of v = sum over choices of pi q; q by --reward-model",
      source: "definition"),
    .init(
      "policy tabular, lambda",
      """
      for each slot pi maximizes sum of pi v - lambda * sum of (pi - 1/K)^2 / 2 over its K variants, v the objective's \
      value of always choosing one; without lambda the variants of the greatest v share the probability
      """, source: "J. Duchi et al., Efficient projections onto the l1-ball, 2008"),
    .init(
      "policy softmax-linear, lambda, passes",
      """
      pi of a choice with the features x is exp(theta x) over the sum for all choices; theta maximizes the objective \
      less lambda * sum of theta^2 / 2, by limited-memory BFGS from theta = 0: a local maximum
      """, source: "A. Swaminathan and T. Joachims, Counterfactual risk minimization, 2015"),
    .init(
      "policy tree, depth, bins, min-decisions, lambda",
      """
      each leaf is split at the feature and threshold that increase most the sum over both halves of decisions * \
      value of the best distribution, which is that of tabular; at most depth times, with min-decisions in each leaf
      """,
      source:
        "Z. Zhou, S. Athey and S. Wager, Offline multi-action policy learning, 2023; grown greedily"
    ),
  ]
}
