internal import Replay
internal import Tables

extension RegretReport {
  public static let explanation = Explanation(
    question: "what did the decisions lose against the best variant, as far as the log can tell?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason; propensity), \
      decisionConfirmed, goals (time, unit, experiment, point, slot, goal, value, status)
      """, of: columns, variantColumns)

  struct Row {
    let place: ArmNames
    let row: RegretRow
    let best: String?
    let status: String
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var columns: ReportColumns<Row> {
    Columns.experiment(\.place.experiment)
    Columns.explained(
      """
      the first 1, 2, 5, 10, 20, 50, ... confirmed decisions of an experiment, point and slot, and all: by event time \
      (a provisional one by its decisionConfirmed), at equal times by the hash of the unit's name
      """,
      .key("t", "the number of the last decision, in the order of event time", \.row.decisions),
      .measure("decisions", "confirmed decisions up to there", \.row.decisions))
    Columns.explained(
      "the rewards credited to these decisions, whenever they came (report rewards)",
      .measure("reward_sum", "rewards credited to them, added up", \.row.rewardSum).main)
    Columns.explained(
      """
      the greatest mean reward m in the whole log at the experiment, point and slot; of several the first by bytes. \
      --means plain: sum(r) / n over the variant's decisions; ips: sum(r/p) / number of all decisions of the place \
      with a propensity; snips: sum(r/p) / sum(1/p), r the reward of a decision of the variant, p its propensity
      """,
      source: """
        D. G. Horvitz and D. J. Thompson, A generalization of sampling without replacement, 1952; A. Swaminathan and \
        T. Joachims, The self-normalized estimator for counterfactual learning, 2015
        """,
      .measure("best_variant", "the variant with the greatest mean reward in the whole log", \.best)
        .main)
    Columns.explained(
      "sum over the decisions of (m of the best variant - m of the one chosen); the same / decisions",
      source: """
        pseudo-regret: S. Bubeck and N. Cesa-Bianchi, Regret analysis of stochastic and nonstochastic multi-armed \
        bandit problems, 2012, section 1.2
        """,
      .measure(
        "regret", "best mean less that of the variant chosen, over the decisions", \.row.regret
      ).estimate.main,
      .measure("regret_per_decision", "regret / decisions") { row in
        row.row.regret.map { $0 / Double(row.row.decisions) }
      }.estimate.main)
    Columns.key("point", "where in the app", \.place.point)
    Columns.key("slot", "which of several decisions at the point", \.place.slot)
    Columns.explained(
      """
      the regret is the greatest R_b = sum n_a (mu_b - mu_a) over variants b, n_a the decisions of a so far. Where \
      all decisions were dealt by the same logged propensities: from the greatest lower bound of all R_b together \
      (Bonferroni) to the greatest upper bound, by Student's t from the variance over units (added as standard errors \
      where units had several variants). Else, as a policy may have learned: bounds of each mean that hold at any \
      number of its decisions, with (1 - level) / variants each - exact for rewards of 0 or 1 of units with one \
      decision, else a mixture of t tests - and the least and the greatest regret within them. Variants with fewer \
      than 200 units take the variance of all where that is greater. Never below 0; covers more than its level where \
      variants are equal; with --means ips or snips and a policy that learns, in simulations of 300 decisions of \
      Thompson sampling, about 90 % of the time; empty where rewards do not vary or nothing bounds them
      """,
      source: """
        C. E. Bonferroni, 1936; S. R. Howard and others, Time-uniform, nonparametric, nonasymptotic confidence \
        sequences, 2021; T. L. Lai, On confidence sequences, 1976
        """, .interval("ci", "the interval of the regret", \.row.interval).estimate.main)
    Columns.explained(
      "the best variant is that of the least mean, and m of the one chosen - m of the best is added up",
      as: "regret of a metric with direction=lower")
    Columns.explained(
      """
      the mean of the variant that looks best is on average above its true mean, so regret is too high on average, \
      most where variants are equally good: its true value is then 0, and only ci_low says so
      """, source: "J. E. Smith and R. L. Winkler, The optimizer's curse, 2006",
      as: "bias of regret")
    Columns.explained(
      """
      ignored: means are over all contexts and the best variant is one for all decisions. Where probabilities follow \
      the context, plain means are those of the contexts in which a variant was likely, which --means ips and snips \
      correct; a policy that chooses by context can do better than any variant, which regret does not show: evaluate \
      judges it
      """, as: "context of decisions")
    Columns.measure("status", "ok, or why there is no regret", \.status)
  }

  struct VariantRow {
    let arm: ArmNames
    let variant: RegretVariant
    /// The greatest mean less that of the variant.
    let gap: Double?
    /// The regret of its decisions, and that of all variants.
    let regret, total: Double?
    let status: String
  }

  private typealias VariantColumns = ReportColumns<VariantRow>

  /// The columns of regret by variant.
  @ColumnsBuilder<VariantRow>
  static var variantColumns: ReportColumns<VariantRow> {
    VariantColumns.arm(\.arm)
    VariantColumns.measure("decisions", "confirmed decisions", \.variant.decisions).main
    VariantColumns.measure("reward_mean", "its mean reward, as --means says", \.variant.mean)
      .estimate.main
    VariantColumns.explained(
      "m of the best variant - m of the variant; gap * decisions; this / the regret of all variants",
      source: "T. L. Lai and H. Robbins, Asymptotically efficient adaptive allocation rules, 1985",
      as: "gap, regret, regret_share (--decompose)",
      .measure("gap", "the greatest mean less its own", \.gap).estimate.main,
      .measure("regret", "gap * decisions", \.regret).estimate.main,
      .measure("regret_share", "its part of the regret of all variants, 0 to 1") { row in
        row.regret.flatMap { part in row.total.map { $0 > 0 ? part / $0 : 0 } }
      }.share.main)
    VariantColumns.measure("status", "ok, or why there is no regret", \.status)
  }
}
