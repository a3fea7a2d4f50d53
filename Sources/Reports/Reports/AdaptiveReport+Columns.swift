internal import Replay
internal import Statistics
internal import Tables

extension AdaptiveReport {
  public static let explanation = Explanation(
    question: "what is the mean reward of each variant where a policy learned from the rewards?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, choices, probabilities, status, reason), \
      decisionConfirmed, goals (time, unit, experiment, point, slot, goal, value, status)
      """, of: columns, directionColumns, rules: AdaptiveCard.words)

  private typealias Columns = ReportColumns<AdaptiveRow>

  /// The additional column of a metric of which less is better: cards and answers then say who has the least.
  static var directionColumns: ReportColumns<AdaptiveRow> {
    .measure("direction", "lower: less of the metric is better") { _ in Metric.Direction.lower.rawValue }
  }

  @ColumnsBuilder<AdaptiveRow>
  static var columns: ReportColumns<AdaptiveRow> {
    Columns.arm(\.arm)
    Columns.explained(
      """
      as in report rewards; the plain mean is biased under a policy that learns, downwards as a rule: a variant that \
      was unlucky early is chosen less and has no time to recover
      """,
      source: """
        X. Nie, X. Tian, J. Taylor and J. Zou, Why adaptively collected data have negative bias and how to correct for \
        it, 2018
        """, .measure("decisions", "confirmed decisions that chose it", \.rewards.count).main,
      .measure(
        "reward_mean", "their plain mean reward, biased where a policy learned", \.rewards.mean
      ).estimate)
    Columns.explained(
      """
      sum(h_t * g_t) / sum(h_t) over all decisions t of the experiment, point and slot, whichever variant they chose, \
      in the order of event time (a provisional one by its decisionConfirmed), at equal times by the hash of the \
      unit's name; g_t = m_t + [t chose the variant] * (r_t - m_t) / e_t, r_t the reward of t, e_t the probability of \
      the variant at t (decisions where it is 0, as for a variant that was not among the choices, are left out), m_t \
      the mean reward of the variant's decisions before t, 0 at first
      """,
      source: """
        V. Hadad, D. A. Hirshberg, R. Zhan, S. Wager and S. Athey, Confidence intervals for policy evaluation in \
        adaptive experiments, 2021
        """, .measure("aw_mean", "its adaptively weighted mean reward", \.mean).estimate.main)
    Columns.explained(
      """
      h_t = 1 (uniform), sqrt(p_t) (constant-allocation), or h_t^2 = p_t * l_t * (1 - sum(h_s^2 / p_s) over s < t) \
      with l_t = p_t / (T - t + 1) + (1 - p_t) * (1 - a) / (1 - a + T * (t/T)^a - t), T the number of decisions, a = \
      0.7 (two-point). p_t = 1 / m^2, m the mean of 1 / sqrt(e_s) over the decisions s before t, each of the last ten \
      by its number at first, later with weights that fall by a tenth from one to the one before; none, and no \
      weight, at the first. Weights never look at the decision itself, so the mean is that of all contexts also where \
      probabilities depend on the context
      """,
      source: """
        the same; R. Zhan, V. Hadad, D. A. Hirshberg and S. Athey, Off-policy evaluation via adaptive weighting with \
        data from contextual bandits, 2021
        """, as: "weighting")
    Columns.explained(
      """
      sqrt(sum(h_t^2 * (g_t - aw_mean)^2)) / sum(h_t); aw_mean +- t * standard_error, for --alpha, with n - 1 degrees \
      of freedom, n = sum(w)^2 / sum(w^2) of w = h_t / e_t over the decisions that chose the variant. Empty unless n \
      is at least 20 and the variant has 5 rewards and 5 non-rewards (of other than 0 and 1: sum(r - min) / (max - \
      min), and the same from above, are at least 5): with fewer, two equal variants of a policy that learns differ \
      significantly far too often. Where a policy goes on to drop a variant, only logs in which it was lucky at first \
      have so many of its decisions, and of their intervals about 85 % hold its mean at 300 decisions and a gap of 0.2
      """,
      source:
        "the same; L. Kish, Survey sampling, 1965; simulations of thompson and epsilon-greedy",
      .measure("standard_error", "the standard error of aw_mean", \.standardError).estimate,
      .interval("ci", "the interval of aw_mean", \.interval).estimate.main)
    Columns.explained(
      """
      aw_mean - aw_mean of the baseline (--baseline, else the first by bytes); variance sum((a_t - b_t)^2), a_t = h_t \
      * (g_t - aw_mean) / sum(h_t) of the variant and b_t of the baseline; t interval and two-sided t test with the \
      lesser degrees of freedom. Both means are over the decisions that could choose either; empty unless both have \
      an interval
      """, source: "the same, and the authors' program",
      .measure("difference", "aw_mean less that of the baseline", \.difference?.estimate)
        .estimate.main, .interval("difference_ci", "its interval", \.difference?.interval).estimate,
      .measure("p_value", "against no difference (two-sided t test)", \.difference?.pValue)
        .pValue.main)
    Columns.explained(
      """
      z = (n - sum(e_t)) / sqrt(sum(e_t * (1 - e_t))) over the decisions that could choose the variant, n of which \
      did; two-sided, adjusted by Holm for the variants of the experiment, point and slot; empty where the variance is \
      below 10. Below 0.001 the policy did not choose by these probabilities, and nothing is estimated of the place
      """, source: "S. Holm, A simple sequentially rejective multiple test procedure, 1979",
      .measure("propensity_p_value", "of its choices against their probabilities", \.propensityPValue).pValue)
    Columns.explained(
      """
      too few decisions, no variance: no interval, see standard_error; the same after baseline: of the baseline. Not \
      always available: the variant or the baseline had probability 0 at some decisions, which are left out; if the \
      policy decides that by the context, the mean is that of the other contexts. Never available together with the \
      baseline: there is no difference to estimate; `bandolier evaluate` judges policies that choose by context. \
      Needs probabilities: a decision there was logged without choices or without a probability for each, and the \
      propensity tells that of the chosen variant only. Probabilities cannot be right: they are not between 0 and 1, \
      not 1 in sum (within 1e-6), zero for the variant chosen, or a choice is listed twice. Probabilities do not \
      fit the choices: see propensity_p_value. Leave such decisions out with --without-reason, --since or --until
      """, .measure("status", "ok, or what limits a value or why it is not there", \.status))
    Columns.measure("method", "what made aw_mean and difference", \.method)
    Columns.measure("baseline", "the variant that it is compared with", \.baseline)
  }
}
