internal import Specifications
internal import Statistics

extension EvaluationReport {
  public static let explanation = Explanation(
    question: "what would another policy have earned, as far as the log can tell?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, choices, propensity, probabilities, status, reason, \
      context, features), decisionConfirmed, goals (time, unit, experiment, point, slot, goal, value, status); with \
      --truth those of a second log
      """,
    entries: verdictEntries + valueEntries + estimatorEntries + intervalEntries + otherEntries)

  private static let verdictEntries: [Explanation.Entry] = [
    .init(
      "verdict, reasons",
      """
      the worst of its reasons. cannot-answer: no decision with a usable propensity, or none that the policy could \
      have made; effective sample size below 30; more than 10 % of the policy's choices without support; mean weight \
      more than 3 standard errors and more than 0.1 from 1; a single decision with more than half of the weight. \
      weak: effective sample size below 100 or 1 % of the decisions; fewer than 10 units with a reward that has \
      weight; more than 1 % without support; mean weight more than 3 standard errors and more than 0.01 from 1; a \
      single decision with more than 10 % of the weight; tail index above 0.7; more than 1 % of the decisions left \
      out; a variant that the policy names and no decision has; at a slot a mean of 1/p more than 3 standard errors \
      and 1 % above the number of choices. Otherwise answers. A learning policy: accepted decisions below 30 or 100; \
      decisions below the floor. Without support for more than 10 % or with such a mean weight estimates are of \
      another value: there is no interval and no p-value then. --fail-on support ends with exit code 3 unless every \
      verdict is answers
      """,
      source: """
        definition. Support: with rewards in [0, R] the value is only known to within share * R. Effective sample \
        size: A. \
        B. Owen, Monte Carlo theory, methods and examples, 2013, section 9.3; 30 and 100 are usual limits for normal \
        intervals. Tail: A. Vehtari et al., Pareto smoothed importance sampling, 2024. 3 standard errors: p = 0.003
        """),
    .init(
      "effective_sample_size, effective_share, mean_weight, max_weight, max_weight_share",
      """
      w = target / p, target the policy's probability of the chosen variant, p its propensity. (sum w)^2 / sum w^2, \
      the same over the number of decisions; sum w / n, expected to be 1; greatest w; the same over sum w
      """, source: "L. Kish, Survey sampling, 1965; E[sum w / n] = 1 where p > 0: definition of w"),
    .init(
      "mean_weight_z",
      "s / sqrt(q), s = sum over units of d_u, q = sum of d_u^2, d_u = sum of (w - 1) of a unit",
      source: "standard error of a mean that is 1, with units as observations"),
    .init(
      "top_weight_share, tail_index, never_share",
      """
      share of sum w of the 1 % of the decisions with the greatest w; mean of ln(w / u) over the greatest min(n/5, 3 \
      sqrt(n)) weights, u the smallest of these, rounded up to whole bins of a sixteenth of an octave; share with w = 0
      """,
      source: """
        B. M. Hill, A simple general approach to inference about the tail of a distribution, 1975; A. Vehtari et al., \
        2024
        """),
    .init(
      "unsupported_decisions, unsupported_share, unsupported_target",
      """
      a choice has support if its logged probability is above 0; where probabilities were not logged, if it was \
      chosen at its point and slot at least once. Decisions of which a choice with target > 0, or what the policy \
      would choose beside the choices, lacks support; their share; sum of target without support / decisions
      """,
      source: """
        definition; N. Sachdeva, Y. Su and T. Joachims, Off-policy bandits with deficient support, 2020
        """),
    .init(
      "undecided, not_finite, unseen",
      """
      decisions left out: in which the policy names no probabilities, or w or a prediction is not finite; decisions \
      (not left out) with a slot, a choice or a value of an attribute that a learned policy never saw
      """,
      source: "definition"),
    .init(
      "offered, decisions, propensity_mean, propensity_min, propensity_max, propensities",
      """
      --table overlap, for each variant of a slot: decisions with it among their choices (those logged, else every \
      variant chosen at the slot); decisions that chose it; mean, smallest and greatest propensity of these, and how \
      many different ones. A policy that is fixed and looks at nothing has one
      """, source: "definition"),
    .init(
      "target_mean, target_share, weight_sum, weight_share",
      """
      mean target over the decisions that offered it; sum of target / decisions; sum of w of the decisions that chose \
      it; the same over the sum of all w. With right propensities weight_sum is near decisions * target_share
      """, source: "E[w of those that chose it] = target: definition of w"),
    .init(
      "inverse_mean, choices_mean, z, p_value, variants, varying, propensities",
      """
      --table propensities, for each slot: mean of 1/p; mean number K of choices (those with a probability above 0 \
      where \
      they were logged; without logged choices, every variant chosen at the slot), as E[1/p] = K; z = sum(1/p - K) / \
      sqrt(n s^2), two-sided normal p-value; variants chosen, those with more than one propensity, most of one variant
      """,
      source:
        "D. G. Horvitz and D. J. Thompson, 1952; L. Li et al., Counterfactual estimation, 2015"),
    .init(
      "low, high, share",
      "--table weights: weights in [low, high), powers of two; those of zero have low = high = 0",
      source: "definition"),
  ]

  private static let valueEntries: [Explanation.Entry] = [
    .init(
      "decisions, units",
      """
      confirmed decisions with a propensity in (0, 1] and a variant among their choices; their units. For a learning \
      policy the decisions of all runs
      """, source: "definition"),
    .init(
      "reward (r)",
      """
      the sum credited to a decision by --attribution, --window, --delay and the other rules of `report rewards`; 0 \
      if none
      """, source: "definition"),
    .init(
      "value, se",
      """
      the estimate (sum m)/n + (sum a)/(sum b), m, a and b as the estimator says; sqrt(sum psi_u^2 / (U (U - 1))), \
      psi_u = (m_u - M n_u)/nbar + (a_u - R b_u)/bbar over U units, with the sums of a unit's decisions, M = (sum \
      m)/n, R = (sum a)/(sum b), bars for means per unit. Empty where it would be none, with the reason in status: a \
      value that rests on a reward model (dm, and others whose rewards correct the model with less than 80 % of the \
      weight, or a mean weight below 0.4), no reward with weight, units that do not differ
      """,
      source: "W. G. Cochran, Sampling techniques, 1977, section 6.4 (delta method for ratios)"),
    .init(
      "status",
      """
      why value, se or ci_low and ci_high are empty. A confidence sequence begins with 20 units with weight, 5 of \
      them with and, for rewards of 0 and 1, 5 without a reward
      """, source: "definition"),
    .init(
      "decisions of estimators of whole decisions, incomplete_whole_decisions",
      """
      slate-ips, independent-ips, cascade-ips, cascade-dr, pseudo-inverse and their self-normalized forms: the \
      decisions of a unit at a point with the same time and distinct slots, in the order of the log, are one whole \
      decision, whose reward is the sum of those of its slots. A whole decision of which a slot's decision is not \
      used is left out; those are counted
      """,
      source:
        "J. McInerney et al., Counterfactual evaluation of slate recommendations with sequential reward interactions, "
        + "2020"
    ),
    .init(
      "weights of balanced-ips, mips, multi-balanced-ips, multi-balanced-dr (--groups)",
      """
      balanced-ips: target / share of the variant among the decisions at the same slot with the same choices and the \
      same values of the attributes that the policies read. multi-balanced: target / sum over logging policies l \
      (field policy) of n_l / n * p_l over the n decisions there; p_l is the logged propensity for the decision's own \
      policy, else the mean of the probabilities that l logged for the variant there, else its share of l's decisions \
      there: exact only if l looks at nothing else. mips: the target's probability of the variant's group over the \
      sum of the logged probabilities of its members, else over their shares there; a variant without a group is one \
      of its own. effective_sample_size, mean_weight and max_weight in the table of values are those of the \
      estimator's own weights, for one of whole decisions of the products of its slots' weights; the verdict rests on \
      those of logged propensities. Decisions without a logged propensity are left out here too, so that all \
      estimators are of the same decisions and the verdict holds for them; for a log of one policy without any, \
      import it with propensities estimated outside
      """,
      source: """
        A. Sondhi, D. Arbour and D. Dimmery, 2020; A. Agarwal et al., 2017; Y. Saito and T. Joachims, 2022
        """),
    .init(
      "point, slot (--per-slot)",
      "estimates from the decisions of one slot alone; empty for all slots. Not for estimators of whole decisions",
      source: "definition"),
    .init(
      "matched, choice",
      """
      decisions with w > 0; for a learning policy those accepted. The estimator chosen by one that chooses
      """, source: "definition"),
    .init(
      "reward_model (q, v), folds",
      """
      q the predicted reward of the chosen variant, v = sum over choices of target * prediction. With --folds K the \
      units are divided into K parts by a hash of their names, and each is predicted by a model of the others
      """,
      source: """
        M. Dudik, J. Langford and L. Li, Doubly robust policy evaluation and learning, 2011; V. Chernozhukov et al., \
        Double/debiased machine learning, 2018
        """),
  ]

  /// An entry for each estimator.
  private static let estimatorEntries: [Explanation.Entry] = EstimatorCatalog.standard.all.map {
    Explanation.Entry("estimator \($0.name)", $0.summary, source: $0.source)
  }

  /// An entry for each method of intervals.
  private static let intervalEntries: [Explanation.Entry] = IntervalCatalog.standard.all.map {
    Explanation.Entry(
      "ci_low, ci_high: interval \($0.name)",
      $0.summary + "; empty where it does not apply to the estimator",
      source: $0.source)
  }

  private static let otherEntries: [Explanation.Entry] = [
    .init(
      "difference, p_value, versus_value (--versus)",
      """
      value of the policy less that of the other one, on the decisions that both could be evaluated on; se = sqrt(sum \
      (psi_u - psi'_u)^2 / (U (U - 1))), interval and two-sided test by Student t with U - 1 df; for estimators that \
      are sums of terms of single decisions
      """, source: "paired t of influence values: W. G. Cochran, 1977; Student, 1908"),
    .init(
      "window, change, relative_change, goals (--windows)",
      """
      the value with goals credited within that window after a decision instead of --window; less the value in the \
      other tables; the same over |that value|; goals credited. A change that grows with the window means that \
      rewards are late, and that recent decisions are not done earning
      """, source: "definition"),
    .init(
      "start, end (--table time)",
      """
      periods of equal length in UTC: the shortest of a minute, an hour, a day, a week (from Monday), 4 and 52 weeks \
      and their doubles with at most 60 from the first to the last decision; a decision belongs to that of its time, \
      its reward whenever it came. Normal intervals
      """, source: "definition"),
    .init(
      "truth, truth_se, relative_error, truth_decisions, truth_units (--truth)",
      """
      the mean reward of the confirmed decisions of the experiment in the second log, and its standard error by unit; \
      |value - truth| / |truth|
      """,
      source:
        "Y. Saito et al., Open Bandit Dataset and Pipeline, 2021, section 5"),
    .init(
      "error_mean, error_low, error_high, closest_share, trust",
      """
      over --replicates replicates in which every unit of both logs has a Poisson(1) weight, the same in both: mean \
      and \
      percentile interval of the relative error; share of replicates in which it is the smallest, ties shared. The \
      estimator to trust has the smallest error_mean; it stands out if it is the closest 1.5 times as often as by chance
      """,
      source: """
        N. Chamandy et al., Estimating uncertainty for massive data streams, 2012; definition
        """),
    .init(
      "--plot-estimates, --plot-weights, --plot-time",
      """
      value and intervals by policy and estimator, with the truth if there is one; shares of decisions and of weight \
      by powers of two of the weight; value by period with its normal interval, by the first estimator that has it
      """, source: "definition"),
    .init(
      "decisions_without_propensity, decisions_with_wrong_propensity, decisions_with_unknown_variant",
      """
      confirmed decisions that are not used: without propensity; with one outside (0, 1]; with a variant that is not \
      among their choices
      """, source: "definition"),
    .init(
      "logged_propensities",
      "whether each variant of a slot always has the same propensity, as under a fixed policy that looks at nothing",
      source: "definition"),
  ]
}
