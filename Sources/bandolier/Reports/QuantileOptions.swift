import ArgumentParser
import EventLog
import Replay
import Reports
import Statistics
import Tables

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
      "revenue, conversion-value, conversion-delay, reward, goal-value or goal-delay, separated by commas (default: revenue).",
      valueName: "metrics"), completion: .cases(of: QuantileReport.Metric.self),
    transform: OptionValue.list(of: OptionValue.choice))
  var metric: [[QuantileReport.Metric]] = []

  @Option(
    help: ArgumentHelp(
      "Which quantiles, separated by commas (default: 0.5,0.9,0.99).", valueName: "parts"),
    transform: OptionValue.list(of: OptionValue.number))
  var at = [0.5, 0.9, 0.99]

  @Option(
    help: ArgumentHelp(
      "Definition of a quantile between two values: type 1 to 9 of Hyndman and Fan (default: 7).",
      valueName: "number"),
    transform: Self.type)
  var type: QuantileType = .linear

  @Flag(help: "Leave out values of 0, except for delays.")
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
    let metrics = metric.joined()
    return try QuantileReport(
      metrics.isEmpty ? [.revenue] : QuantileReport.Metric.allCases.filter(metrics.contains),
      options: options, goals: goal,
      attribution: rules.attribution(since: .conversions, crossing: crossing.crossing),
      goalAttribution: rules.attribution(since: .goals, crossing: crossing.crossing))
  }

  private static func type(_ text: String) throws -> QuantileType {
    if let type = Int(text).flatMap(QuantileType.init) { return type }
    throw ValidationError("it must be a number from 1 to 9")
  }
}
