import ArgumentParser

/// The significance level option.
struct LevelOptions: ParsableArguments {
  @Option(help: ArgumentHelp("1 less the coverage of intervals.", valueName: "level"))
  var alpha = 0.05

  func validate() throws {
    // 1 - alpha is 1 for an alpha below 1e-16.
    guard alpha > 0, alpha < 1, 1 - alpha < 1 else {
      throw ValidationError("--alpha must be between 0 and 1, such as 0.05")
    }
  }

  /// The confidence level of intervals.
  var level: Double { 1 - alpha }
}
