import ArgumentParser
import Replay

/// The options of the outlier cap on revenue per unit.
struct CappingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Outlier cap: a larger revenue of a unit counts as this value.", valueName: "value"),
    transform: OptionValue.number)
  var cap: Double?

  @Option(
    help: ArgumentHelp(
      "Outlier cap at a quantile, such as 99%, of the revenue of all units of the experiment; needs 8 bytes of memory for each converter.",
      valueName: "part"), transform: OptionValue.number)
  var capPercentile: Double?

  @Flag(help: "Compute the quantile over units with a revenue only.")
  var capIgnoringZeros = false

  func validate() throws {
    if cap != nil, capPercentile != nil {
      throw ValidationError("--cap and --cap-percentile cannot be combined; leave one out")
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
