public import EventLog
public import Events
public import Replay
public import Statistics
public import Tables

/// The report `quantiles`: how what units do after their first exposure is distributed in each variant.
public struct QuantileReport: Report {
  /// The name behind `report`.
  public static let name = "quantiles"
  /// What the report says, in one line.
  public static let abstract =
    "Quantiles of revenue, reward, values and delays, by experiment and variant."

  /// What quantiles are of.
  public let metrics: [Metric]
  /// Which quantiles.
  public let options: Options
  /// The goals that are looked at, by name; all when there is none.
  public let goals: [String]
  /// Which conversions count for a unit after its first exposure.
  public let attribution: Attribution
  /// Which goals count for a unit after its first exposure.
  public let goalAttribution: Attribution

  /// Quantiles.
  ///
  /// - Parameters:
  ///   - metrics: What quantiles are of, each once.
  ///   - options: Which quantiles.
  ///   - goals: The goals that are looked at, by name; all when there is none.
  ///   - attribution: Which conversions count for a unit after its first exposure.
  ///   - goalAttribution: Which goals count for a unit after its first exposure.
  /// - Throws: ``ReportError`` when an option is out of its range.
  public init(
    _ metrics: [Metric] = [.revenue], options: Options = Options(), goals: [String] = [],
    attribution: Attribution = ConversionProjector.standardAttribution,
    goalAttribution: Attribution = Attribution(rule: .first)
  ) throws(ReportError) {
    try ReportError.check(level: options.level)
    guard options.quantiles.allSatisfy({ (0...1).contains($0) }) else {
      throw .parameter("at", "takes numbers from 0 to 1 separated by commas, such as 0.5,0.9,0.99")
    }
    self.metrics = metrics
    self.options = options
    self.goals = goals
    self.attribution = attribution
    self.goalAttribution = goalAttribution
  }

  /// The names that the report looks up or shows.
  public var vocabularies: Set<Vocabulary> { [.experiments, .variants, .goals] }

  /// The time after which nothing counts.
  public var end: Timestamp? { attribution.end }

  /// Makes the report, in one reading of the log.
  public func result(of source: ReportSource) throws -> ReportResult {
    let codes = goals.isEmpty ? nil : try source.lookup.codes(of: goals, in: .goals)
    let projectors = ConversionSource.allCases.compactMap { kind in
      let measures = metrics.filter { $0.source == kind }.map(\.measure)
      return measures.isEmpty
        ? nil
        : QuantileProjector(
          kind == .conversions ? attribution : goalAttribution, of: kind, measures: Set(measures),
          goals: codes)
    }
    var table = try Self.table(
      try Self.tallies(projectors, source), metrics: metrics, names: source.names,
      options: options, dimension: source.dimension)
    if !goals.isEmpty { table.note("goals", .text(goals.joined(separator: ", "))) }
    return ReportResult(table)
  }

  /// What each of the projectors keeps, of which there are one or two.
  private static func tallies(
    _ projectors: [QuantileProjector], _ source: ReportSource
  ) throws -> [(projector: QuantileProjector, result: QuantileTallies)] {
    guard projectors.count == 2 else {
      return try projectors.map { ($0, try source.run(units: $0)) }
    }
    let (first, second) = try source.run(units: projectors[0], projectors[1])
    return [(projectors[0], first), (projectors[1], second)]
  }

  /// What quantiles are taken of, by the name that the command line and the column `metric` have for it.
  public enum Metric: String, CaseIterable, Sendable {
    /// The revenue of a unit: the sum of its conversions.
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

    /// Where its values come from.
    public var source: ConversionSource {
      switch self {
      case .revenue, .conversionValue, .conversionDelay: .conversions
      case .reward, .goalValue, .goalDelay: .goals
      }
    }

    /// Which values of it they are.
    public var measure: QuantileMeasure {
      switch self {
      case .revenue, .reward: .unitValue
      case .conversionValue, .goalValue: .signalValue
      case .conversionDelay, .goalDelay: .delay
      }
    }
  }

  /// Which quantiles, and how they are found.
  public struct Options: Sendable {
    /// The quantiles, each in 0 ... 1.
    public var quantiles: [Double] = [0.5, 0.9, 0.99]
    /// How a quantile between two values is defined.
    public var type = QuantileType.linear
    /// Whether values that are 0 are left out; delays of 0 never are.
    public var ignoresZeros = false
    /// The coverage of the intervals, between 0 and 1.
    public var level = 0.95

    /// The median and the upper tail, in type 7.
    public init() {}
  }

  /// The columns, in their order.
  static let columns: [TableColumn] = [
    .key("experiment", .text, "what is decided"),
    .key("variant", .text, "what the units were first exposed to"),
    .key("metric", .text, "what the quantile is of"),
    .key("quantile", .decimal, "the share of values at or below it"),
    .measure("units", .integer, "distinct units that belong to the variant"),
    .measure("value", .decimal, "the quantile; delays in seconds"),
    .measure("ci_low", .decimal, "lower end of its interval; empty where values are too few"),
    .measure("ci_high", .decimal, "upper end of its interval; empty where values are too few"),
    .measure("ci_coverage", .decimal, "how probable it is that the interval covers the quantile"),
    .measure("values", .integer, "the values that the quantile is of"),
    .measure("zeros", .integer, "how many of these are 0"),
  ]

  /// The report of some values.
  ///
  /// - Parameters:
  ///   - tallies: The values of each source, with what made them.
  ///   - metrics: What is reported of them; a metric whose values are not there has no rows.
  ///   - names: The names of the log that they come from; experiments and variants are used.
  ///   - options: Which quantiles, and how they are found.
  ///   - dimension: What they are broken down by.
  /// - Returns: One row for each variant with an exposure, metric and quantile, sorted by the bytes of the names, then by
  ///   quantile.
  /// - Throws: `TableError` never, as long as the columns are what they are.
  public static func table(
    _ tallies: [(projector: QuantileProjector, result: QuantileTallies)], metrics: [Metric],
    names: LogNames, options: Options = Options(), dimension: Dimension? = nil
  ) throws(TableError) -> Table {
    var table = try Table(
      name: "quantiles", title: "Quantiles by variant",
      columns: columns + TableColumn.breakdown(dimension))
    for (projector, result) in tallies {
      for (segment, values) in result.segments {
        for metric in metrics where metric.source == projector.source {
          guard let kept = values.measures[metric.measure] else { continue }
          for row in rows(kept, metric, values.units, options) {
            try table.append(
              row: names.cells(segment) + row + TableCell.breakdown(dimension, segment.value))
          }
        }
      }
    }
    note(tallies, options, &table)
    return table.sorted()
  }

  private static func rows(
    _ values: ValueMultiset, _ metric: Metric, _ units: Int, _ options: Options
  ) -> [[TableCell]] {
    let isWithoutZeros = options.ignoresZeros && metric.measure != .delay
    let values = isWithoutZeros ? values.withoutZeros : values
    return options.quantiles.map { p in
      let interval = QuantileInterval(p, count: values.count, level: options.level)
      return [
        .text(metric.rawValue), .decimal(p), .integer(units),
        TableCell(options.type.quantile(p, of: values)),
        TableCell(interval?.low.map { values[$0 - 1] }),
        TableCell(interval?.high.map { values[$0 - 1] }), TableCell(interval?.coverage),
        .integer(values.count), .integer(values.zeros),
      ]
    }
  }

  private static func note(
    _ tallies: [(projector: QuantileProjector, result: QuantileTallies)], _ options: Options,
    _ table: inout Table
  ) {
    for (projector, _) in tallies {
      table.note(
        "attribution_of_\(projector.source.rawValue)",
        .text(projector.attribution.assignmentText))
    }
    table.note(
      "quantile_type", .text("\(options.type.rawValue) of Hyndman and Fan, exact"))
    table.note(
      "interval",
      .text(
        "order statistics by the binomial distribution, at least \(Percent.text(options.level))"))
    if options.ignoresZeros { table.note("zeros", .text("left out, but for delays")) }
    for (projector, result) in tallies { table.note(result.ledger, of: projector.source) }
  }
}
