public import ArgumentParser
import Events
import Replay

/// The options of attribution.
struct AttributionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How long after an exposure goals and conversions count, such as 7d, 12h, 30m or 90s, or none; 7 is 7 days (default: none for goals, 7d for conversions).",
      valueName: "duration"), transform: OptionValue.window)
  var window: Window?

  @Option(
    help: ArgumentHelp(
      "How long after an exposure goals begin to count, such as 1h; 1 is 1 day (default: at once).",
      valueName: "duration"), transform: OptionValue.duration)
  var delay: Int64?

  @Flag(help: "Count the first goal of each code per unit and place only: the same as --limit 1.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "Count at most N goals of each code per unit and place (default: unlimited).", valueName: "N"),
    transform: OptionValue.integer)
  var limit: Int?

  @Option(
    help: ArgumentHelp("Ignore goals with a smaller value.", valueName: "value"),
    transform: OptionValue.number)
  var minimum: Double?

  @Option(
    help: ArgumentHelp("Ignore goals with a larger value.", valueName: "value"),
    transform: OptionValue.number)
  var maximum: Double?

  @Option(
    help: ArgumentHelp(
      "End of the analysis: ignore exposures and goals after this time.", valueName: "time"),
    transform: OptionValue.time)
  var end: Timestamp?

  @Flag(help: "Leave out exposures whose window extends beyond --end.")
  var withoutInProgress = false

  /// Creates the attribution.
  func attribution(
    rule: Attribution.Rule = .last, standardWindow: Int64?, crossing: Attribution.Crossing = .drop
  ) -> Attribution {
    Attribution(
      rule: rule, window: window.map(\.microseconds) ?? standardWindow,
      delay: delay ?? 0, counting: once ? .once : .every, limit: limit,
      minimum: minimum, maximum: maximum, end: end,
      excludesInProgress: withoutInProgress, crossing: crossing)
  }
}

extension Attribution.Rule: ExpressibleByArgument {}
extension Attribution.Crossing: ExpressibleByArgument {}
