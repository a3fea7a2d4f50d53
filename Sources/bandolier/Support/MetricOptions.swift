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
    guard !metric.isEmpty else { return [Metric(.reward)] }
    return try metric.map { text in
      do {
        return try Metric(parsing: text)
      } catch {
        throw ValidationError("--metric: \(error)")
      }
    }
  }

  /// Creates the plan.
  func plan() throws -> MetricPlan {
    try MetricPlan(
      parsed(), attribution: rules.attribution(standardWindow: nil, crossing: crossing.crossing),
      conversionWindow: rules.window.map(\.microseconds) ?? MetricPlan.standardConversionWindow,
      cap: cap)
  }
}
