import ArgumentParser
import Replay
import Reports
import Statistics

/// The options of metrics.
struct MetricOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What is measured: reward, goals, converted, conversions, revenue (each with :goal=NAME), decisions, visits or \
      ratio:of=METRIC,over=METRIC; can be given more than once (reward).
      """, valueName: "metric"), completion: .metric)
  var metric: [String] = []

  @Option(
    help: ArgumentHelp(
      "Outlier cap: a larger value of a unit counts as this value.", valueName: "value"),
    transform: OptionValue.number)
  var cap: Double?

  @OptionGroup var crossing: CrossingOptions

  @OptionGroup var rules: AttributionOptions

  /// Returns the metrics; `reward` when none is given.
  func parsed() throws -> [Metric] {
    try metric.isEmpty ? [Metric(.reward)] : Self.metrics(metric)
  }

  /// Parses metrics.
  static func metrics(_ texts: [String]) throws -> [Metric] {
    try texts.map { text in
      do {
        return try Metric(parsing: text)
      } catch {
        throw ValidationError("--metric: \(error)")
      }
    }
  }

  /// Creates the plan of an experiment; metrics that are given take precedence.
  func plan(for entry: AnalysisPlan.Entry) throws -> MetricPlan {
    var plan = try plan()
    if metric.isEmpty { plan.metrics = entry.metrics }
    return plan
  }

  /// Creates the plan.
  func plan() throws -> MetricPlan {
    try MetricPlan(
      parsed(), attribution: rules.attribution(standardWindow: nil, crossing: crossing.crossing),
      conversionWindow: rules.window.map(\.microseconds) ?? MetricPlan.standardConversionWindow,
      cap: cap)
  }
}
