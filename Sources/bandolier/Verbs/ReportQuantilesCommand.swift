public import ArgumentParser
import EventLog
import Replay
public import Reports
public import Statistics
import Tables

extension QuantileReport.Metric: ExpressibleByArgument {}

extension QuantileType: ExpressibleByArgument {
  /// A type from its number.
  public init?(argument: String) {
    guard let number = Int(argument) else { return nil }
    self.init(rawValue: number)
  }
}

struct ReportQuantilesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quantiles",
    abstract: "Quantiles of revenue, reward, values and delays, by experiment and variant.",
    usage: "bandolier report quantiles <log or database> [<options>]",
    discussion: """
      Units, and what counts for them, are those of `report conversions`. Quantiles are exact: every value \
      that is not 0 is kept, in 8 bytes. Intervals lie between two values and hold for any distribution.
      """)

  @OptionGroup var log: LogArgument

  @Option(
    help: ArgumentHelp(
      "revenue, conversion-value, conversion-delay, reward, goal-value or goal-delay; can be given more than once (revenue).",
      valueName: "what"))
  var metric: [QuantileReport.Metric] = []

  @Option(
    help: ArgumentHelp(
      "Which quantiles, separated by commas (default: 0.5,0.9,0.99).", valueName: "parts"),
    transform: Self.parts)
  var at = [0.5, 0.9, 0.99]

  @Option(
    help: ArgumentHelp(
      "What a quantile is between two values: 1 to 9, as in Hyndman and Fan.", valueName: "number"))
  var type: QuantileType = .linear

  @Flag(help: "Leave out values that are 0; delays of 0 stay.")
  var ignoringZeros = false

  @Option(help: ArgumentHelp("Only this goal; can be given more than once.", valueName: "name"))
  var goal: [String] = []

  @OptionGroup var crossing: CrossingOptions

  @OptionGroup var coverage: LevelOptions

  @OptionGroup var rules: AttributionOptions
  @OptionGroup var replay: ReplayOptions
  @OptionGroup var output: ReportOutputOptions

  func run() throws {
    try replay.reading(log, names: [.variants, .goals], end: rules.end) { try report($0) }
  }

  private func report(_ source: ReportSource) throws {
    let metrics =
      metric.isEmpty ? [.revenue] : QuantileReport.Metric.allCases.filter(metric.contains)
    let goals = try codes(source)
    let projectors = ConversionSource.allCases.compactMap { kind in
      let measures = metrics.filter { $0.source == kind }.map(\.measure)
      return measures.isEmpty
        ? nil
        : QuantileProjector(
          rules.attribution(since: kind, crossing: crossing.crossing), of: kind,
          measures: Set(measures),
          goals: goals)
    }
    let tallies = try Self.tallies(projectors, source)
    var options = QuantileReport.Options()
    options.quantiles = at
    options.type = type
    options.ignoresZeros = ignoringZeros
    options.level = coverage.level
    var table = try QuantileReport.table(
      tallies, metrics: metrics, names: source.names, options: options, dimension: replay.by)
    if !goal.isEmpty { table.note("goals", .text(goal.joined(separator: ", "))) }
    table.note(lossesOf: source)
    try output.write(table, of: source, by: replay.by)
  }

  /// What each of the projectors keeps, of which there are one or two, in one reading of the log.
  private static func tallies(
    _ projectors: [QuantileProjector], _ source: ReportSource
  ) throws -> [(projector: QuantileProjector, result: QuantileTallies)] {
    guard projectors.count == 2 else {
      return try projectors.map { ($0, try source.run(units: $0)) }
    }
    let (first, second) = try source.run(units: projectors[0], projectors[1])
    return [(projectors[0], first), (projectors[1], second)]
  }

  /// The codes of the goals that are asked for; nil for all.
  private func codes(_ source: ReportSource) throws -> Set<UInt32>? {
    goal.isEmpty ? nil : try source.lookup.codes(of: goal, in: .goals)
  }

  /// Quantiles from text such as 0.5,0.99, each once and in order.
  private static func parts(_ text: String) throws -> [Double] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let valid = parts.compactMap { $0 }.filter { $0 >= 0 && $0 <= 1 }
    guard valid.count == parts.count else {
      throw ValidationError(
        "--at takes numbers from 0 to 1 separated by commas, such as 0.5,0.9,0.99")
    }
    return Array(Set(valid)).sorted()
  }
}

extension ReportQuantilesCommand: WorkedExamples {
  static let examples = [
    #"""
    bandolier report quantiles datasets/storefront.log \
      --experiment pricing
    """#,
    #"""
    bandolier report quantiles datasets/storefront.log \
      --experiment pricing --metric reward --at 0.5,0.9,0.99
    """#,
  ]
}
