extension AdaptiveReport {
  public static let explanation = Explanation(
    question: "what is the mean reward of each variant where a policy learned from the rewards?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, choices, probabilities, status, reason), decisionConfirmed, \
      goals (time, unit, experiment, point, slot, goal, value, status)
      """,
    entries: [
      .init(
        "decisions, reward_mean",
        """
        as in report rewards; the plain mean is biased under a policy that learns, downwards as a rule: a variant that was \
        unlucky early is chosen less and has no time to recover
        """,
        source: """
          X. Nie, X. Tian, J. Taylor and J. Zou, Why adaptively collected data have negative bias and how to correct for \
          it, 2018
          """),
      .init(
        "aw_mean",
        """
        sum(h_t * g_t) / sum(h_t) over all decisions t of the experiment, point and slot, whichever variant they chose, in \
        the order of event time (a provisional one by its decisionConfirmed), at equal times by the hash of the \
        unit's name; g_t = m_t + [t chose the variant] * (r_t - m_t) / e_t, r_t the reward of t, e_t the probability of the \
        variant at t (0 where it was not among the choices), m_t the mean reward of the variant's decisions before t, 0 at \
        first
        """,
        source: """
          V. Hadad, D. A. Hirshberg, R. Zhan, S. Wager and S. Athey, Confidence intervals for policy evaluation in \
          adaptive experiments, 2021
          """),
      .init(
        "weighting",
        """
        h_t = 1 (uniform), sqrt(e_t) (constant-allocation), or h_t^2 = e_t * l_t * (1 - sum(h_s^2 / e_s) over s < t) with \
        l_t = e_t / (T - t + 1) + (1 - e_t) * (1 - a) / (1 - a + T * (t/T)^a - t), T the number of decisions, a = 0.7 \
        (two-point)
        """, source: "the same"),
      .init(
        "standard_error, ci_low, ci_high",
        "sqrt(sum(h_t^2 * (g_t - aw_mean)^2)) / sum(h_t); aw_mean +- z * standard_error, for --alpha",
        source: "the same"),
      .init(
        "difference, difference_ci_low, difference_ci_high, p_value",
        """
        aw_mean - aw_mean of the baseline (--baseline, else the first by bytes); variance sum((a_t - b_t)^2), a_t = h_t * \
        (g_t - aw_mean) / sum(h_t) of the variant and b_t of the baseline; normal interval and two-sided z test
        """, source: "the same, and the authors' program"),
      .init(
        "status",
        """
        needs probabilities: a decision there was logged without choices or without a probability for each, and the \
        propensity tells that of the chosen variant only; probabilities cannot be right: they are not between 0 and 1, not \
        1 in sum (within 1e-6), or zero for the variant chosen. Leave such decisions out with --without-reason, --since or \
        --until
        """, source: "definition"),
    ])
}
