import ArgumentParser
import Reports

/// The significance level option.
struct LevelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Significance level; intervals have the confidence level 1 - alpha (default: 0.05).",
      valueName: "level"),
    transform: OptionValue.number)
  var alpha = 0.05

  /// The confidence level of intervals.
  var level: Double { 1 - alpha }
}
