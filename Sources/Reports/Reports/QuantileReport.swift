public import EventLog
public import Events
public import Replay
internal import Specifications
public import Statistics
package import Tables

/// The report `quantiles`: quantiles of the values and delays of each variant's units after their first exposure.
public struct QuantileReport: Report {
  public static let name = "quantiles"
  public static let abstract =
    "Quantiles of revenue, reward, values and delays, by experiment and variant."

  public static let discussion = """
    Units, and what counts for them, are those of `report conversions`. Quantiles are exact: every value \
    that is not 0 is kept, in 8 bytes. Intervals lie between two values and hold for any distribution.
    """

  public static let examples = [
    #"""
    bandolier report quantiles datasets/storefront.log \
      --experiment pricing
    """#,
    #"""
    bandolier report quantiles datasets/storefront.log \
      --experiment pricing --metric reward --at 0.5,0.9,0.99
    """#,
  ]

  /// The metrics whose quantiles are reported.
  public var metrics = [Metric.revenue]
  /// The metric with a name, goal, window or direction that is asked for alone; nil for none.
  public private(set) var named: Replay.Metric?
  /// The quantiles, between 0 and 1.
  public var quantiles = [0.5, 0.9, 0.99]
  /// The definition of a quantile between two values.
  public var type = QuantileType.linear
  /// Whether values of 0 are left out, except for delays.
  public var ignoresZeros = false
  /// The confidence level of intervals, between 0 and 1.
  public var level = 0.95
  /// The names of the goals to report on; empty for all.
  public var goals: [String] = []
  /// The attribution of goals and conversions after the first exposure.
  public var attribution = ConversionProjector.standardAttribution

  /// Creates the report with its standard parameters.
  public init() {}

  @OptionsBuilder<Self>
  public static var options: [ReportOption<Self>] {
    Option.metricFile
    Option(
      OptionInfo(
        "metric", .repeated, "metrics",
        "revenue, conversion-value, conversion-delay, reward, goal-value or goal-delay, separated by commas; or one "
          + "metric of revenue or reward, such as revenue:goal=order or a name of --metrics (default: revenue).")
    ) { report, texts, files in try report.measure(texts, files) }
    .with { $0.offers = { Metric.allCases.map(\.rawValue) } }
    Option.list(
      "at", \.quantiles, "parts",
      "Which quantiles, separated by commas (default: 0.5,0.9,0.99).", OptionValue.number)
    Option.value(
      "type", \.type, "number",
      "Definition of a quantile between two values: type 1 to 9 of Hyndman and Fan (default: 7).",
      kind: .integer
    ) { text in
      guard let type = Int(text).flatMap(QuantileType.init) else {
        throw OptionError("it must be a number from 1 to 9")
      }
      return type
    }.grouped(.statistics)
    Option.flag("ignoring-zeros", \.ignoresZeros, "Leave out values of 0, except for delays.")
    Option.repeated("goal", \.goals, "name", "Only this goal; can be given more than once.") { $0 }
    Option.crossing(\.attribution.crossing)
    Option.level(\.level)
    Option.attribution(\.attribution)
  }

  public mutating func validate() throws(ReportError) {
    try ReportError.check(level: level)
    try ReportError.check(attribution)
    try ReportError.require(
      quantiles.allSatisfy { (0...1).contains($0) }, "at",
      "must be numbers from 0 to 1, such as 0.5,0.9,0.99")
    let own = named?.term.goal
    try ReportError.require(
      own == nil || goals == [own], "goal", "is \(own ?? "") in \(named?.description ?? "") already; leave it out")
    quantiles = Set(quantiles).sorted()
    metrics = Metric.allCases.filter(metrics.contains)
  }

  /// Reads the words of metrics, or one metric with settings of its own.
  private mutating func measure(_ texts: [String], _ files: OptionFiles) throws {
    let words = texts.flatMap { WrittenValue.elements($0).map(String.init) }
    let isAlone = texts.count == 1 && (words.count == 1 || texts[0].contains(":"))
    let hasSettings = { (text: String) in text.contains(":") || files.metrics.definition(of: text) != nil }
    if isAlone, hasSettings(texts[0]) || Metric(rawValue: texts[0]) == nil { return try measure(texts[0], files) }
    guard !words.contains(where: hasSettings) else {
      throw OptionError("a metric with a name or settings is asked for alone; leave out the others")
    }
    metrics = try words.map { try OptionValue.choice($0) }
  }

  private mutating func measure(_ text: String, _ files: OptionFiles) throws {
    let metric = try OptionValue.metric(text, files, among: Metric.allCases.map(\.rawValue))
    guard metric.cap == nil else { throw OptionError("\(metric) has a cap, and quantiles are of values without one") }
    guard let counted = RewardMetric(metric), let word = Metric(rawValue: metric.term.count.rawValue) else {
      throw OptionError("\(metric) has no quantiles; name a metric of revenue or reward")
    }
    (named, metrics, goals) = (metric, [word], metric.goals)
    attribution = attribution.measuring(counted)
  }

  public var partials: PartialSupport { .byUnits }

  public var vocabularies: Set<Vocabulary> { [.experiments, .variants, .goals] }

  public var end: Timestamp? { attribution.end }

  /// Computes the report in one pass over the log.
  public func result(of source: ReportSource) throws -> ReportResult {
    let codes = goals.isEmpty ? nil : try source.lookup.codes(of: goals, in: .goals)
    let projectors = ConversionSource.allCases.compactMap { kind in
      let measures = metrics.filter { $0.source == kind }.map(\.measure)
      return measures.isEmpty
        ? nil
        : QuantileProjector(
          attribution, of: kind, measures: Set(measures), goals: codes)
    }
    var table = try table(
      try Self.tallies(projectors, source), names: source.names, dimension: source.dimension)
    if !goals.isEmpty { table.note("goals", goals.joined(separator: ", ")) }
    return ReportResult(table)
  }

  /// Returns the values of the one or two projectors.
  private static func tallies(
    _ projectors: [QuantileProjector], _ source: ReportSource
  ) throws -> [(projector: QuantileProjector, result: QuantileTallies)] {
    guard projectors.count == 2 else {
      return try projectors.map { ($0, try source.run(units: $0)) }
    }
    let (first, second) = try source.run(units: projectors[0], projectors[1])
    return [(projectors[0], first), (projectors[1], second)]
  }

  /// A metric, by its name on the command line and in the column `metric`.
  public enum Metric: String, CaseIterable, Sendable {
    /// The revenue of a unit: the sum over its conversions.
    case revenue
    /// The revenue of a conversion.
    case conversionValue = "conversion-value"
    /// Seconds from the first exposure to the first conversion.
    case conversionDelay = "conversion-delay"
    /// The reward of a unit: the sum of the values of its goals.
    case reward
    /// The value of a goal.
    case goalValue = "goal-value"
    /// Seconds from the first exposure to the first goal.
    case goalDelay = "goal-delay"

    /// The kind of events that the values come from.
    public var source: ConversionSource {
      switch self {
      case .revenue, .conversionValue, .conversionDelay: .conversions
      case .reward, .goalValue, .goalDelay: .goals
      }
    }

    /// The measure of those events.
    public var measure: QuantileMeasure {
      switch self {
      case .revenue, .reward: .unitValue
      case .conversionValue, .goalValue: .signalValue
      case .conversionDelay, .goalDelay: .delay
      }
    }
  }

  struct Row {
    let arm: ArmNames
    let metric: String
    let quantile: Double
    let units: Int
    let values: ValueMultiset
    let value: Double?
    let interval: QuantileInterval?
    /// The values that are further ones of a unit.
    let repeated: Int

    /// Why there is no interval; nil if there is one.
    var absence: String? {
      if repeated > 0 {
        return
          "no interval: \(repeated) of the values are further ones of a unit and depend on its first; --limit 1 with "
          + "one --goal keeps the first"
      }
      if values.isEmpty { return "no values" }
      guard let interval else {
        return "no interval: nothing lies beyond quantile \(Int(quantile))"
      }
      return interval.low == nil && interval.high == nil ? "too few values for an interval" : nil
    }

    /// Returns the value of a rank, which is counted from 1.
    func value(_ rank: Int?) -> Double? { rank.map { values[$0 - 1] } }
  }

  private typealias Columns = ReportColumns<Row>

  @ColumnsBuilder<Row>
  static var columns: ReportColumns<Row> {
    Columns.experiment(\.arm.experiment)
    Columns.key("variant", "what the units were first exposed to", \.arm.variant).compared
    Columns.explained(
      """
      revenue: the sum of a unit's conversions; conversion-value: of each conversion; conversion-delay: seconds from \
      the first exposure of a unit to its first conversion that is not negative; reward, goal-value and goal-delay: \
      the same of the goals of the experiment; the name of a named metric
      """, .key("metric", "what the quantile is of", \.metric))
    Columns.key("quantile", "the share of values at or below it", \.quantile)
    Columns.explained(
      "distinct units of the variant, and which conversions count for them, as in `report conversions`",
      .measure("units", "distinct units that belong to the variant", \.units).main)
    Columns.explained(
      """
      the quantile of all values, which are kept one by one (8 bytes each, zeros only counted); --type says what it is \
      between two values: 7 is linear with (n - 1)p + 1
      """, source: "R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, 1996",
      .measure("value", "the quantile; delays in seconds", \.value).estimate.main)
    Columns.explained(
      """
      the values of rank l and u, with l the greatest with P(B <= l - 1) <= alpha/2 and u the least with \
      P(B >= u) <= alpha/2, B binomial(n, quantile); it holds for any distribution of independent values. Those of \
      several conversions or goals of a unit are not: with any such unit there is no interval, and status says so
      """, source: "W. J. Conover, Practical Nonparametric Statistics, 1999, section 3.2",
      .measure("ci_low", "lower end of its interval; empty where values are too few") {
        $0.value($0.interval?.low)
      }.estimate.main,
      .measure("ci_high", "upper end of its interval; empty where values are too few") {
        $0.value($0.interval?.high)
      }.estimate.main,
      .measure(
        "ci_coverage", "how probable it is that the interval covers the quantile",
        \.interval?.coverage
      ).share)
    Columns.explained(
      """
      how many values there are, and how many of them are 0: units without a conversion have a revenue of 0 and no \
      delay; --ignoring-zeros leaves zeros out
      """, .measure("values", "the values that the quantile is of", \.values.count).main,
      .measure("zeros", "how many of these are 0", \.values.zeros))
    Columns.measure("status", "why there is no interval", \.absence)
  }

  /// Returns one row for each variant with an exposure, metric and quantile, sorted by the bytes of the names, then by
  /// quantile.
  ///
  /// - Parameters:
  ///   - tallies: The values of each source, with the projector that collected them.
  ///   - names: The names of the log's experiments and variants.
  ///   - dimension: The dimension by which the values are broken down.
  /// - Returns: The table.
  /// - Throws: `TableError` only if the column declarations are invalid.
  package func table(
    _ tallies: [(projector: QuantileProjector, result: QuantileTallies)], names: LogNames,
    dimension: Dimension? = nil
  ) throws(TableError) -> Table {
    var rows: [Row] = []
    for (projector, result) in tallies {
      for (segment, values) in result.segments {
        let arm = ArmNames(segment, names)
        for metric in metrics where metric.source == projector.source {
          rows += self.rows(arm, metric, values)
        }
      }
    }
    var table = try Table(
      name: "quantiles", title: "Quantiles by variant",
      columns: Self.columns + .breakdown(dimension, \.arm.value), rows: rows)
    note(tallies, &table)
    return summarized(table.sorted())
  }

  private func rows(_ arm: ArmNames, _ metric: Metric, _ segment: SegmentValues) -> [Row] {
    guard var values = segment.measures[metric.measure] else { return [] }
    // Order statistics need independent values, and those of one unit are not.
    let repeated = metric.measure == .signalValue ? segment.repeated : 0
    if ignoresZeros, metric.measure != .delay { values = values.withoutZeros }
    return quantiles.map { p in
      Row(
        arm: arm, metric: named?.label?.name ?? metric.rawValue, quantile: p, units: segment.units, values: values,
        value: type.quantile(p, of: values),
        interval: repeated > 0 ? nil : QuantileInterval(p, count: values.count, level: level),
        repeated: repeated)
    }
  }

  private func note(
    _ tallies: [(projector: QuantileProjector, result: QuantileTallies)], _ table: inout Table
  ) {
    for (projector, _) in tallies {
      table.note(
        "attribution_of_\(projector.source.rawValue)",
        projector.attribution.text(ofAssigned: projector.source))
    }
    table.note("quantile_type", "\(type.rawValue) of Hyndman and Fan, exact")
    table.note(
      "interval", "order statistics by the binomial distribution, at least \(Percent.text(level))")
    if let named { table.note(metric: named) }
    if ignoresZeros { table.note("zeros", "left out, but for delays") }
    for (projector, result) in tallies { table.note(result.ledger, of: projector.source) }
  }
}

extension QuantileReport {
  public static let explanation = Explanation(
    question: "how is what units do after their first exposure distributed in each variant?",
    inputs: """
      decisions (time, unit, experiment, point, slot, variant, status, reason), decisionConfirmed, conversions (time, \
      unit, goal, revenue, negative), goals (time, unit, experiment, point, slot, goal, value, status) for reward, \
      goal-value and goal-delay
      """, of: columns, rules: Explanation.words(of: "metric", \Metric.meaning))
}

extension QuantileReport.Metric {
  /// What is measured.
  fileprivate var meaning: String {
    switch self {
    case .revenue: "the revenue of a unit: the sum over its conversions"
    case .conversionValue: "the revenue of a conversion"
    case .conversionDelay: "seconds from the first exposure of a unit to its first conversion"
    case .reward: "the reward of a unit: the sum of the values of its goals"
    case .goalValue: "the value of a goal"
    case .goalDelay: "seconds from the first exposure of a unit to its first goal"
    }
  }
}
