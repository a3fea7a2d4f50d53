public import ArgumentParser
import Events
import Replay

/// The options of attribution.
struct AttributionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How long after an exposure goals and conversions count: 7d, 12h, 30min, 90s or none (default: none for goals, 7d for conversions).",
      valueName: "duration")
  )
  var window: WindowArgument?

  @Option(
    help: ArgumentHelp("How long after an exposure goals begin to count.", valueName: "duration"))
  var delay: DurationArgument?

  @Flag(help: "Count the first goal of a unit in an experiment only: the same as --limit 1.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "Count at most N goals per unit and experiment (default: unlimited).", valueName: "N"))
  var limit: Int?

  @Option(help: ArgumentHelp("Goals that are worth less do not count.", valueName: "value"))
  var minimum: Double?

  @Option(help: ArgumentHelp("Goals that are worth more do not count.", valueName: "value"))
  var maximum: Double?

  @Option(
    help: ArgumentHelp("Exposures and goals after this time do not count.", valueName: "time"),
    transform: TimeArgument.parse)
  var end: Timestamp?

  @Flag(help: "Leave out exposures whose window is not over at --end.")
  var withoutInProgress = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
    if withoutInProgress, end == nil { throw ValidationError("--without-in-progress needs --end") }
  }

  /// Creates the attribution.
  func attribution(
    rule: Attribution.Rule = .last, standardWindow: Int64?, crossing: Attribution.Crossing = .drop
  ) -> Attribution {
    Attribution(
      rule: rule, window: window.map(\.microseconds) ?? standardWindow,
      delay: delay?.microseconds ?? 0, counting: once ? .once : .every, limit: limit,
      minimum: minimum, maximum: maximum, end: end,
      excludesInProgress: withoutInProgress, crossing: crossing)
  }
}

extension Attribution.Rule: ExpressibleByArgument {}
extension Attribution.Crossing: ExpressibleByArgument {}

/// A duration such as 7d.
struct DurationArgument: ExpressibleByArgument {
  var microseconds: Int64

  init?(argument: String) {
    guard let microseconds = DurationText.microseconds(argument) else { return nil }
    self.microseconds = microseconds
  }
}

/// A duration, or `none` for unlimited.
struct WindowArgument: ExpressibleByArgument {
  /// Nil for unlimited.
  var microseconds: Int64?

  init?(argument: String) {
    guard argument != "none" else { return }
    guard let microseconds = DurationText.microseconds(argument) else { return nil }
    self.microseconds = microseconds
  }
}
