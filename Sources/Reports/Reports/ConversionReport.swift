public import EventLog
public import Events
public import Replay
internal import Statistics
public import Tables

/// The report `conversions`: the conversions of the units of each variant after their first exposure.
public struct ConversionReport: UnitReport {
  public static let name = "conversions"
  public static let abstract =
    "What the units of each variant did after their first exposure, by goal."

  public static let discussion = """
    A unit belongs to the variant of its first exposure (confirmed or repeated decision) at each point and slot of an \
    experiment; one that saw two variants there is left out, and counted. A conversion counts from the first exposure \
    on, for 7 days unless --window says otherwise. What did not count is listed under the table, and under `notes` in \
    JSON. A purchase that was logged as a goal of its experiment is no conversion: --of goals counts those, and the \
    answer names the experiments that have goals only.
    """

  public static let examples = [
    "bandolier report conversions datasets/storefront.log",
    #"""
    bandolier report conversions datasets/storefront.log \
      --experiment pricing --window none
    """#,
  ]

  /// The kind of events that count: conversions, or goals of the experiments.
  public var source = ConversionSource.conversions
  /// The only metric to report on, whose goal, window and cap count; nil for all goals.
  public private(set) var metric: Metric?
  /// The attribution of conversions after the first exposure.
  public var attribution = ConversionProjector.standardAttribution
  /// The outlier cap on the revenue of units; nil for none.
  public var capping: Capping?
  /// The confidence level of intervals, between 0 and 1.
  public var level = 0.95

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.metricFile
    metricOption
    Option.choice(
      "of", \.source, "what",
      "conversions, or goals of the experiments (then without a window unless one is given).")
    Option.crossing(\.attribution.crossing)
    Option.level(\.level)
    Option.attribution(\.attribution)
    Option.capping(\.capping)
  }

  private static var metricOption: Option {
    Option(
      OptionInfo(
        "metric", .single, "metric",
        OptionInfo.metricHelp(
          "The only metric to report on", RewardMetric.forms, "; or a name of --metrics (default: all goals of --of)"))
    ) { report, texts, files in try report.measure(OptionValue.metric(texts[texts.count - 1], files)) }
    .with { $0.offers = { OptionInfo.starts(of: RewardMetric.forms) } }
  }

  /// Reports on one metric: its goal, within its window, with its cap.
  ///
  /// - Throws: `OptionError` for one that does not count goals or conversions.
  private mutating func measure(_ metric: Metric) throws(OptionError) {
    var uncapped = metric
    uncapped.cap = nil
    guard let counted = RewardMetric(uncapped) else {
      throw OptionError(
        "\(metric) does not count goals or conversions; name one of \(RewardMetric.forms.joined(separator: ", "))")
    }
    self.metric = metric
    guard metric.cap == nil || isSum else { throw OptionError("\(metric) has a cap, which only revenue has here") }
    guard metric.cap == nil || metric.term.goal != nil else {
      throw OptionError(
        "\(metric) has a cap on what a unit is worth in all goals, and this report has a row for each goal; give it "
          + "one goal, such as \(metric.term.count.rawValue):goal=NAME, or use report compare")
    }
    if let source = metric.term.count.source { self.source = source }
    attribution = attribution.measuring(counted)
    capping = metric.cap ?? capping
  }

  public static let takesDimensions = true

  public mutating func validate() throws(ReportError) {
    try ReportError.check(level: level)
    try ReportError.check(attribution)
    try ReportError.check(capping)
    let own = metric?.term.count.source ?? source
    try ReportError.require(
      own == source, "of",
      "is \(source.rawValue), and \(metric?.description ?? "") counts \(own.rawValue); leave it out")
  }

  public var vocabularies: Set<Vocabulary> { [.experiments, .variants, .goals] }

  public var end: Timestamp? { attribution.end }

  public func projector(_ lookup: NameLookup) throws -> ConversionProjector {
    if let goal = metric?.term.goal { try lookup.code(of: goal, in: .goals) }
    return ConversionProjector(attribution, of: source, capping: capping)
  }

  struct Row {
    let arm: ArmNames
    let goal: String
    let tally: ConversionTally
    let rate: Interval?
    let mean: Interval?
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var columns: ReportColumns<Row> {
    Columns.experiment(\.arm.experiment)
    Columns.key("variant", "what the units were first exposed to", \.arm.variant).compared
    Columns.key("goal", "what was reached", \.goal)
    Columns.explained(
      """
      distinct units that belong to the variant: that of their first exposure (confirmed or repeated decision) at a \
      point and slot of the experiment; units that saw two variants at one point and slot are left out there \
      (--crossing first: stay at the first), and counted in the notes; variants at other points or slots are other \
      things, and a unit can have several
      """, .measure("units", "distinct units that belong to the variant", \.tally.units).main)
    Columns.explained(
      """
      units with at least one conversion that counts and is not negative; the answer names the goals whose conversions \
      are all negative, such as refunds, instead of comparing rates of 0
      """,
      .measure("converters", "units with at least one conversion that counts", \.tally.converters)
        .main)
    Columns.explained(
      """
      from the first exposure to the variant on, at whatever point and slot that was (its very time included; --delay \
      later), for --window from then (7 days, the end included; with --of goals none), all of them, negative ones \
      too; --limit N: the first N of each goal \
      of a unit at a point and slot that would count (--once: the first one); a goal that names a point or slot only \
      counts there; every conversion is in the notes under the rule that came nearest to letting it count
      """, .measure("conversions", "conversions that count", \.tally.conversions))
    Columns.explained(
      """
      revenue of these conversions, negative ones subtracted, 0 where none is given (goals: 1); with --cap or \
      --cap-percentile the sum over units after cutting
      """, .measure("revenue_sum", "their revenue, less that of negative ones", \.tally.revenue))
    Columns.explained(
      "converters / units",
      .measure("conversion_rate", "converters divided by units", \.tally.rate.value).share.main)
    Columns.explained(
      """
      (p + z^2/2n -/+ z * sqrt(p(1 - p)/n + z^2/4n^2)) / (1 + z^2/n), p = conversion_rate, n = units, \
      z = the normal quantile of 1 - alpha/2
      """,
      source:
        "E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927",
      .interval("ci", "the interval of the rate (Wilson)", \.rate).share.main)
    Columns.explained(
      """
      over units: sum / n and sum((x - mean)^2) / (n - 1), where x is the revenue of a unit, 0 for those without any; \
      exact sums, rounded once
      """, source: "R. M. Neal, Fast exact summation using small and large superaccumulators, 2015",
      .measure(
        "revenue_mean", "mean revenue of a unit, 0 for those without any", \.tally.perUnit.mean
      ).estimate.main,
      .measure("revenue_variance", "its sample variance (n - 1)", \.tally.perUnit.variance)
        .estimate)
    Columns.explained(
      "mean -/+ t(1 - alpha/2, n - 1) * sqrt(variance / n)",
      source: "Student, The probable error of a mean, 1908",
      .interval("revenue_ci", "the interval of the mean (Student t)", \.mean).estimate)
  }

  /// The additional columns if the revenue of units is capped.
  static var cappingColumns: ReportColumns<Row> {
    .explained(
      """
      with --cap the value given; with --cap-percentile the quantile (type 7) of the revenues of all units of the \
      experiment, over all variants, for each goal; of those that are not 0 with --cap-ignoring-zeros. Only the \
      percentile keeps the revenue of every converter: 8 bytes each
      """, source: "R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, 1996",
      .measure("revenue_cap", "what the revenue of a unit is cut at", \.tally.cap),
      .measure("units_capped", "units whose revenue was cut", \.tally.cappedUnits))
  }

  /// Returns one row for each variant with an assigned unit and each goal of its experiment, sorted by the bytes of
  /// their names.
  public func table(
    _ tallies: ConversionTallies, names: LogNames, dimension: Dimension?
  ) throws(TableError) -> Table {
    let only = metric?.term.goal.map { names.code(of: $0, in: .goals) }
    let rows = tallies.units.keys.flatMap { segment in
      let arm = ArmNames(segment, names)
      return tallies.goals(of: segment.experiment).filter { only == nil || only == $0 }.map { goal in
        let tally = tallies.tally(segment, goal: goal)
        return Row(
          arm: arm, goal: names.string(goal, in: .goals) ?? "", tally: tally,
          rate: tally.rate.wilsonInterval(level: level),
          mean: tally.perUnit.meanInterval(level: level))
      }
    }
    let columns = capping == nil ? Self.columns : Self.columns + Self.cappingColumns
    var table = try Table(
      name: "conversions", title: "Conversions by variant",
      columns: columns + .breakdown(dimension, \.arm.value), rows: rows)
    table.note("of", source.rawValue)
    table.note(
      experimentsWithGoalsOnly: tallies.experimentsWithGoalsOnly(only ?? nil)
        .map { names.string($0, in: .experiments) ?? "" })
    table.note("attribution", attribution.text(ofAssigned: source))
    table.note("rate_interval", "Wilson, \(Percent.text(level))")
    table.note("revenue_interval", "Student t over units, \(Percent.text(level))")
    if let capping { table.note("capping", "\(capping)") }
    if let metric { table.note(metric: metric) }
    table.note(tallies.ledger, of: source)
    return summarized(table.sorted())
  }
}

extension ConversionReport {
  public static let explanation = Explanation(
    question: "what did the units of each variant do after they were first exposed to it?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed, conversions (time, \
      unit, \
      goal, revenue, negative), or goals (time, unit, experiment, point, slot, goal, value, status) with --of goals
      """, of: columns, cappingColumns)
}
