package import EventLog
public import Events
public import Replay
internal import Statistics
package import Tables

/// The report `regret`: the hindsight regret of a log's decisions against the best variant.
public struct RegretReport: Report {
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
      "Estimator of mean rewards: plain, or inverse propensity weighting: ips or snips.")
    Option.flag(
      "decompose", \.decomposes,
      "Show the regret by variant instead of by number of decisions.")
    Option.rule(\.rules.attribution.rule)
    Option.level(\.rules.level)
    Option.attribution(\.rules.attribution)
  }

  public mutating func validate() throws(ReportError) {
    try ReportError.check(level: rules.level)
    try ReportError.check(rules.attribution)
    // The table by variant has no intervals.
    if decomposes { rules.hasIntervals = false }
  }

  /// It can, in two passes or more: the best variants come first, then the curves.
  public var partials: PartialSupport { .byUnits }

  public var end: Timestamp? { rules.attribution.end }

  public func result(of source: ReportSource) throws -> ReportResult {
    let regret = try source.regret(rules)
    return ReportResult(
      try table(regret, names: source.names, dimension: source.dimension))
  }

  static let columns: [TableColumn] = [
    .key("experiment", .text, "what is decided"),
    .key("t", .integer, "the number of the last decision, in the order of event time"),
    .measure("decisions", .integer, "confirmed decisions up to there"),
    .measure("reward_sum", .decimal, "rewards credited to them, added up").main,
    .measure("best_variant", .text, "the variant with the greatest mean reward in the whole log")
      .main,
    .measure("regret", .decimal, "best mean less that of the variant chosen, over the decisions")
      .estimate.main,
    .measure("regret_per_decision", .decimal, "regret / decisions").estimate.main,
    .key("point", .text, "where in the app"),
    .key("slot", .text, "which of several decisions at the point"),
    .measure("ci_low", .decimal, "lower end of the interval of the regret").estimate
      .main,
    .measure("ci_high", .decimal, "upper end of the interval of the regret").estimate
      .main,
    .measure("status", .text, "ok, or why there is no regret"),
  ]

  /// The columns of regret by variant.
  static let variantColumns: [TableColumn] = [
    .key("experiment", .text, "what is decided"),
    .key("point", .text, "where in the app"),
    .key("slot", .text, "which of several decisions at the point"),
    .key("variant", .text, "what was chosen"),
    .measure("decisions", .integer, "confirmed decisions").main,
    .measure("reward_mean", .decimal, "its mean reward, as --means says").estimate.main,
    .measure("gap", .decimal, "the greatest mean less its own").estimate.main,
    .measure("regret", .decimal, "gap * decisions").estimate.main,
    .measure("regret_share", .decimal, "its part of the regret of all variants, 0 to 1").share.main,
    .measure("status", .text, "ok, or why there is no regret"),
  ]

  /// Returns the regret after 1, 2, 5, 10, 20, 50, ... decisions and after all, or by variant if the report decomposes
  /// it.
  package func table(
    _ regret: RegretCurves, names: LogNames, dimension: Dimension? = nil
  ) throws(TableError) -> Table {
    var table =
      decomposes
      ? try Self.variants(regret, names: names, dimension: dimension)
      : try Self.growth(regret, names: names, dimension: dimension)
    note(regret, &table)
    return answered(table.sorted())
  }

  /// Returns one row for each curve and step; of several best variants the first by bytes is named.
  private static func growth(
    _ regret: RegretCurves, names: LogNames, dimension: Dimension?
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "regret", title: "Regret in hindsight",
      columns: columns + TableColumn.breakdown(dimension))
    for curve in regret.curves {
      let best = TableCell(best(of: curve, names))
      let status = status(of: curve)
      let place = place(curve.place, names)
      for row in curve.rows {
        try table.append(
          row: [
            place[0], .integer(row.decisions), .integer(row.decisions), .decimal(row.rewardSum),
            best, TableCell(row.regret),
            TableCell(row.regret.map { $0 / Double(row.decisions) }), place[1], place[2],
            TableCell(row.interval?.low), TableCell(row.interval?.high), .text(status),
          ] + TableCell.breakdown(dimension, curve.value))
      }
    }
    return table
  }

  /// Returns one row for each arm with a counted decision.
  private static func variants(
    _ regret: RegretCurves, names: LogNames, dimension: Dimension?
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "regret_by_variant", title: "Regret in hindsight, by variant",
      columns: variantColumns + TableColumn.breakdown(dimension))
    for curve in regret.curves {
      let (total, best, status) = (curve.rows.last?.regret, curve.bestMean, status(of: curve))
      for variant in curve.variants {
        let gap = best.flatMap { best in variant.mean.map { best - $0 } }
        let part = total == nil ? nil : gap.map { $0 * Double(variant.decisions) }
        let share = part.flatMap { part in total.map { $0 > 0 ? part / $0 : 0 } }
        try table.append(
          row: place(curve.place, names) + [
            .text(names.string(variant.code, in: .variants) ?? ""), .integer(variant.decisions),
            TableCell(variant.mean), TableCell(gap), TableCell(part), TableCell(share),
            .text(status),
          ] + TableCell.breakdown(dimension, curve.value))
      }
    }
    return table
  }

  private static func place(_ arm: Arm, _ names: LogNames) -> [TableCell] {
    [
      .text(names.string(arm.experiment, in: .experiments) ?? ""),
      .text(names.string(arm.point, in: .points) ?? "point-1"),
      .text(names.string(arm.slot, in: .slots) ?? "decision-1"),
    ]
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

  private func note(_ regret: RegretCurves, _ table: inout Table) {
    table.note("attribution", .text(rules.attribution.description))
    table.note("means", .text(rules.means.rawValue))
    table.note(
      "interval",
      .text(
        !rules.hasIntervals
          ? "none"
          : "\(Percent.text(rules.level)), by Student's t where propensities never changed, else by bounds that hold for "
            + "adaptive policies"))
    table.note(
      "best_variant",
      .text("of those that were chosen: nothing is known of a choice that no decision made"))
    table.note(
      "bias", .text("the best of several means is too high on average, and so is the regret"))
    table.note(
      "context",
      .text(
        "ignored: the best variant is the same for every decision; `evaluate` judges policies that choose by context"
      ))
    if regret.curves.contains(where: \.propensitiesChange) {
      table.note("logged_propensities", .text("change"))
    }
    if rules.means != .plain {
      let missing = regret.curves.flatMap(\.variants).reduce(0) {
        $0 + $1.decisions - ($1.withPropensity ?? $1.decisions)
      }
      table.note("decisions_without_propensity", .integer(missing))
    }
    for (rule, value) in RewardReport.ledgerNotes(regret.ledger) { table.note(rule, value) }
  }
}
