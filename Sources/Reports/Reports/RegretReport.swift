package import EventLog
public import Replay
internal import Statistics
package import Tables

/// The report `regret`: the hindsight regret of a log's decisions against the best variant.
public struct RegretReport: RewardedReport {
  public static let name = "regret"
  public static let abstract =
    "What decisions lost against the best variant, in hindsight."

  public static let discussion = """
    The sum over decisions of the mean reward of the best variant minus that of the chosen one, in the order of event \
    time, by experiment, point and slot; means are over the whole log. Rows are after 1, 2, 5, 10, 20, \
    50, ... decisions and after all. Rewards are those of `report rewards`. The estimate is too high on average, \
    because the maximum of several means is; the interval allows for that (`bandolier explain regret`).
    """

  public static let examples = [
    "bandolier report regret datasets/storefront.log",
    #"""
    bandolier report regret datasets/storefront.log \
      --experiment checkout-button --means ips
    """#,
  ]

  /// The attribution of goals and the estimation of means.
  public var rules = RegretRules()
  /// Whether the table shows the regret by variant instead of its growth over decisions.
  public var decomposes = false

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.choice(
      "means", \.rules.means, "which",
      "Estimator of mean rewards: plain, or inverse propensity weighting: ips or snips."
    ).grouped(.statistics)
    Option.flag(
      "decompose", \.decomposes,
      "Show the regret by variant instead of by number of decisions.")
    Option.rewardMetric(\.rules.attribution)
    Option.rule(\.rules.attribution.rule)
    Option.level(\.rules.level)
    Option.attribution(\.rules.attribution)
  }

  public mutating func validate() throws(ReportError) {
    try ReportError.check(level: rules.level)
    try checkRewards()
    // The table by variant has no intervals.
    if decomposes { rules.hasIntervals = false }
  }

  /// It can, in two passes or more: the best variants come first, then the curves.
  public var partials: PartialSupport { .byUnits }

  public static let directions: Set<Metric.Direction> = [.higher, .lower]

  public var rewards: Attribution {
    get { rules.attribution }
    set { rules.attribution = newValue }
  }

  public func result(of source: ReportSource) throws -> ReportResult {
    var rules = rules
    rules.attribution = try source.lookup.resolving(rules.attribution)
    let regret = try source.regret(rules)
    return ReportResult(
      try table(regret, names: source.names, dimension: source.dimension))
  }

  /// Returns the regret after 1, 2, 5, 10, 20, 50, ... decisions and after all, or by variant if the report decomposes
  /// it.
  package func table(
    _ regret: RegretCurves, names: LogNames, dimension: Dimension? = nil
  ) throws(TableError) -> Table {
    var table =
      decomposes
      ? try Table(
        name: "regret_by_variant", title: "Regret in hindsight, by variant",
        columns: Self.variantColumns + .breakdown(dimension, \.arm.value),
        rows: regret.curves.flatMap { Self.variantRows($0, names) })
      : try Table(
        name: "regret", title: "Regret in hindsight",
        columns: Self.columns + .breakdown(dimension, \.place.value),
        rows: regret.curves.flatMap { Self.rows($0, names) })
    note(regret, names, &table)
    return summarized(table.sorted())
  }

  /// Returns one row for each step of a curve; of several best variants the first by bytes is named.
  private static func rows(_ curve: RegretCurve, _ names: LogNames) -> [Row] {
    let place = ArmNames(curve.place, names, value: curve.value)
    let (best, status) = (best(of: curve, names), status(of: curve))
    return curve.rows.map { Row(place: place, row: $0, best: best, status: status) }
  }

  /// Returns one row for each arm of a curve.
  private static func variantRows(_ curve: RegretCurve, _ names: LogNames) -> [VariantRow] {
    let (total, best, status) = (curve.rows.last?.regret, curve.bestMean, status(of: curve))
    return curve.variants.map { variant in
      var arm = curve.place
      arm.variant = variant.code
      let gap = best.flatMap { best in variant.mean.map { (best - $0).magnitude } }
      return VariantRow(
        arm: ArmNames(arm, names, value: curve.value), variant: variant, gap: gap,
        regret: total == nil ? nil : gap.map { $0 * Double(variant.decisions) }, total: total,
        status: status)
    }
  }

  /// Returns the name of the best variant; of several the first by bytes.
  private static func best(of curve: RegretCurve, _ names: LogNames) -> String? {
    guard let best = curve.bestMean else { return nil }
    return curve.variants.filter { $0.mean == best }
      .map { names.string($0.code, in: .variants) ?? "" }
      .min { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns why a curve has no regret.
  private static func status(of curve: RegretCurve) -> String {
    let weighed = curve.variants.compactMap(\.withPropensity)
    if !weighed.isEmpty, weighed.allSatisfy({ $0 == 0 }) { return "no_propensity" }
    if weighed.contains(0) { return "variant_without_propensity" }
    guard curve.variants.count > 1 else { return "single_variant" }
    guard curve.rows.last?.regret == nil else { return "ok" }
    return "not_finite"
  }

  private func note(_ regret: RegretCurves, _ names: LogNames, _ table: inout Table) {
    table.note("attribution", rules.attribution.description)
    table.note(metric: rules.attribution.metric, regret.ledger.goals, names)
    table.note("means", rules.means.rawValue)
    table.note(
      "interval",
      !rules.hasIntervals
        ? "none"
        : "\(Percent.text(rules.level)), by Student's t where propensities never changed, else by bounds that hold for "
          + "adaptive policies")
    table.note(
      "best_variant",
      "of those that were chosen: nothing is known of a choice that no decision made")
    table.note("bias", "the best of several means is too high on average, and so is the regret")
    table.note(
      "context",
      "ignored: the best variant is the same for every decision; `evaluate` judges policies that choose by context"
    )
    if regret.curves.contains(where: \.propensitiesChange) {
      table.note("logged_propensities", "change")
    }
    if rules.means != .plain {
      let missing = regret.curves.flatMap(\.variants).reduce(0) {
        $0 + $1.decisions - ($1.withPropensity ?? $1.decisions)
      }
      table.note("decisions_without_propensity", missing)
    }
    table.note(regret.ledger.noted)
  }
}
