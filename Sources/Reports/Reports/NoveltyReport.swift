public import Events
internal import Replay
internal import Statistics
internal import Tables

/// The report `novelty`: how the difference of each variant from the baseline changes with the days since a unit's
/// first exposure.
public struct NoveltyReport: Report {
  public static let name = "novelty"
  public static let abstract =
    "Does the effect wear off? Differences from the baseline by days since exposure."

  public static let discussion = """
    What units earn on each day after their first exposure, day 0 being the first 24 hours, against the baseline on \
    the same day. Only units whose day was over at the end of the data are counted, for each day those that got there: \
    an effect that shrinks from day to day is that of novelty, one that grows has to be learned. `report compare` has \
    the effect over all days.
    """

  public static let examples = [
    "bandolier report novelty datasets/storefront.log",
    #"""
    bandolier report novelty datasets/storefront.log \
      --metric converted --days 0,1,3,7,14 --baseline blue
    """#,
  ]

  /// The days since the first exposure, not negative.
  public var days = Array(0...6)
  /// The metrics of units, and how their goals count, but for the times after the exposure.
  public var measures = MetricPlan()
  /// The variant that others are compared with; nil for one with a baseline's name, otherwise the first by name.
  public var baseline: String?
  /// The confidence level of intervals, between 0 and 1.
  public var level = 0.95

  private static let mostDays = 400

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.list(
      "days", \.days, "days",
      "Days since the first exposure, separated by commas (default: 0,1,2,3,4,5,6).", OptionValue.days)
    Option.metrics(\.measures)
    Option.crossing(\.measures.attribution.crossing)
    Option.time("end", "The end of the data, instead of the latest event; nothing after it counts.") {
      $0.measures.attribution.end = $1
    }.grouped(.attribution)
    Option.baseline(\.baseline)
    Option.level(\.level)
  }

  public static let needsLog = true

  public mutating func adopt(_ entry: AnalysisPlan.Entry) {
    (measures.metrics, baseline) = (entry.metrics, entry.baseline)
  }

  public mutating func validate() throws(ReportError) {
    try ReportError.check(level: level)
    try measures.check()
    try ReportError.require(
      !days.isEmpty && days.count <= Self.mostDays && Set(days).count == days.count
        && days.allSatisfy { (0...1_000_000).contains($0) }, "days",
      "must be different whole numbers such as 0,1,2,7")
  }

  public var end: Timestamp? { measures.attribution.end }

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` if the log does not have the baseline or a goal that is a parameter.
  public func result(of source: ReportSource) throws -> ReportResult {
    let end = measures.attribution.end ?? source.latest
    let rows = try source.together(
      source.sharedReplay, days.map { day in { source in try self.rows(day, source, end) } }
    ).flatMap { $0 }
    var table = try Table(
      name: Self.name, title: "Effect by days since exposure",
      columns: Self.columns + .breakdown(source.dimension, \.pair.names.value), rows: rows)
    table.note("day", "24 hours, of which the first begins with the first exposure of the unit")
    table.note("units", "those whose day was over at the end of the data")
    table.note("interval", "Welch, \(Percent.text(level)), at one look")
    table.note("end_of_data", end)
    return ReportResult(summarized(table.sorted()))
  }

  struct Row {
    let day: Int
    let pair: VariantPairs.Pair
    let comparison: Comparison?
  }

  private func rows(_ day: Int, _ source: ReportSource, _ end: Timestamp?) throws -> [Row] {
    var measures = measures
    // Up to the end of the day, which does not belong to it.
    measures.attribution = measures.attribution.limited(to: DayCalendar.usualDay - 1)
    measures.attribution.delay = Int64(day) * DayCalendar.usualDay
    (measures.attribution.end, measures.attribution.excludesInProgress) = (end, true)
    let projector = try measures.projector(source.lookup)
    let tallies = try source.run(units: projector)
    try source.lookup.require(baseline, among: tallies.segments.keys.map { ($0.arm.experiment, $0.arm.variant) })
    var plan = ComparisonPlan()
    (plan.alpha, plan.baseline, plan.testsSampleRatio) = (1 - level, baseline, false)
    plan.usesCovariatesOfMetrics = false
    return VariantPairs(tallies, projector.metrics, source.names, plan).pairs.map { pair in
      Row(day: day, pair: pair, comparison: pair.control.map { PairTest(plan: plan).compare(pair.treatment, $0) })
    }
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var columns: ReportColumns<Row> {
    Columns.comparison(\.pair)
    Columns.variant(\.pair.names).main
    Columns.key("day", "days since the first exposure of the unit", \.day).main
    Columns.explained(
      """
      units of the variant by their first exposure, and what they earn from first exposure + day on, before first \
      exposure + day + 1, as in report compare --delay and --window; only units with first exposure + day + 1 <= end \
      of the data
      """,
      .measure("units", "units for which the day was over at the end of the data", \.pair.treatment.units)
        .main,
      .measure("mean", "the metric's mean on the day", \.pair.treatment.point).estimate.main,
      .measure("baseline", "the variant that it is compared with", \.pair.baseline),
      .measure("baseline_units", "units of the baseline", \.pair.control?.units),
      .measure("baseline_mean", "the metric's mean on the day among them") { $0.pair.control?.point }.estimate)
    Columns.explained(
      """
      mean less that of the baseline, with Welch's interval, and over it, less 1, with Fieller's interval; for a \
      single look at one day
      """, source: "B. L. Welch, The generalization of Student's problem, 1947",
      .measure("difference", "mean less that of the baseline") { $0.comparison?.difference?.estimate }
        .estimate.main,
      .interval("ci", "its interval (Welch)") { $0.comparison?.difference?.interval }.estimate.main,
      .measure("lift", "mean over that of the baseline, less 1") { $0.comparison?.lift?.estimate }.share.main,
      .interval("lift_ci", "the lift's interval (Fieller)") { $0.comparison?.lift?.interval }.share,
      .measure("p_value", "against no difference, on this day alone") {
        $0.comparison?.difference?.pValue
      }.pValue,
      .measure("status", "why a value is missing; empty if none is") {
        $0.pair.reason ?? $0.comparison?.status
      })
  }
}
