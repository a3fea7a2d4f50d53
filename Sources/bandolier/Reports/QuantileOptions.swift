public import ArgumentParser
import EventLog
import Replay
public import Reports
public import Statistics
import Tables

extension QuantileReport.Metric: ExpressibleByArgument {}

extension QuantileType: ExpressibleByArgument {
  /// Creates a type from its number.
  public init?(argument: String) {
    guard let number = Int(argument) else { return nil }
    self.init(rawValue: number)
  }
}

extension QuantileReport: ReportWithOptions {
  typealias CommandOptions = QuantileOptions
}

/// The options of the report `quantiles`.
struct QuantileOptions: ReportOptions {
  static let discussion = """
    Units, and what counts for them, are those of `report conversions`. Quantiles are exact: every value \
    that is not 0 is kept, in 8 bytes. Intervals lie between two values and hold for any distribution.
    """

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

  func report() throws -> QuantileReport {
    var options = QuantileReport.Options()
    options.quantiles = at
    options.type = type
    options.ignoresZeros = ignoringZeros
    options.level = coverage.level
    return try QuantileReport(
      metric.isEmpty ? [.revenue] : QuantileReport.Metric.allCases.filter(metric.contains),
      options: options, goals: goal,
      attribution: rules.attribution(since: .conversions, crossing: crossing.crossing),
      goalAttribution: rules.attribution(since: .goals, crossing: crossing.crossing))
  }

  /// Parses quantiles such as 0.5,0.99, without duplicates and in order.
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
