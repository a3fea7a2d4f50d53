import ArgumentParser
import Replay

/// The options of the outlier cap on revenue per unit.
struct CappingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Cut the revenue of a unit at this value.", valueName: "value"),
    transform: OptionValue.number)
  var cap: Double?

  @Option(
    help: ArgumentHelp(
      "Cut it at a quantile, such as 0.99, of all units of the experiment; needs 8 bytes for each converter.",
      valueName: "part"), transform: OptionValue.number)
  var capPercentile: Double?

  @Flag(help: "Take that quantile of the units with a revenue only.")
  var capIgnoringZeros = false

  func validate() throws {
    if cap != nil, capPercentile != nil {
      throw ValidationError("--cap and --cap-percentile exclude each other")
    }
    if capIgnoringZeros, capPercentile == nil {
      throw ValidationError("--cap-ignoring-zeros needs --cap-percentile")
    }
  }

  /// The cap; nil for none.
  var capping: Capping? {
    if let cap { return .absolute(cap) }
    return capPercentile.map { .percentile($0, ignoringZeros: capIgnoringZeros) }
  }
}
