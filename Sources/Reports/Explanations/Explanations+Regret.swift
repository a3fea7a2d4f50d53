extension Explanations {
  static let regret = Explanation(
    report: "regret",
    question: "what did the decisions lose against the best variant, as far as the log can tell?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason; propensity for --means ips and snips), \
      decisionConfirmed, goals (time, unit, experiment, point, slot, goal, value, status)
      """,
    entries: [
      .init(
        "t, decisions",
        """
        the first 1, 2, 5, 10, 20, 50, ... confirmed decisions of an experiment, point and slot, and all: by event time (a \
        provisional one by its decisionConfirmed), at equal times by the unit that appears first in the log
        """, source: "definition"),
      .init(
        "reward_sum",
        "the rewards credited to these decisions, whenever they came (report rewards)",
        source: "definition"),
      .init(
        "best_variant",
        """
        the greatest mean reward m in the whole log at the experiment, point and slot; of several the first by bytes. \
        --means plain: sum(r) / n over the variant's decisions; ips: sum(r/p) / number of all decisions of the place with a \
        propensity; snips: sum(r/p) / sum(1/p), r the reward of a decision of the variant, p its propensity
        """,
        source: """
          D. G. Horvitz and D. J. Thompson, A generalization of sampling without replacement, 1952; A. Swaminathan and \
          T. Joachims, The self-normalized estimator for counterfactual learning, 2015
          """),
      .init(
        "regret, regret_per_decision",
        "sum over the decisions of (m of the best variant - m of the one chosen); the same / decisions",
        source: """
          pseudo-regret: S. Bubeck and N. Cesa-Bianchi, Regret analysis of stochastic and nonstochastic multi-armed bandit \
          problems, 2012, section 1.2
          """),
      .init(
        "ci_low, ci_high",
        """
        percentiles of the regret over replicates: each unit counts Poisson(1) times, drawn from --seed and its name; \
        means and best variant are the replicate's (of a variant of which it has no unit the log's), the decisions are those \
        of the log
        """,
        source: """
          B. Efron and R. J. Tibshirani, An introduction to the bootstrap, 1993; N. Chamandy and others, Estimating \
          uncertainty for massive data streams, 2012
          """),
      .init(
        "gap, regret, regret_share (--decompose)",
        "m of the best variant - m of the variant; gap * decisions; this / the regret of all variants",
        source: "T. L. Lai and H. Robbins, Asymptotically efficient adaptive allocation rules, 1985"
      ),
    ])
}
