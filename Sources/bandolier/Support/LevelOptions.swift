import ArgumentParser

/// The significance level option.
struct LevelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("1 less the coverage of intervals.", valueName: "level"),
    transform: OptionValue.number)
  var alpha = 0.05

  /// The confidence level of intervals.
  var level: Double { 1 - alpha }
}
