public import Statistics

/// Predicts which option will be taken next.
public protocol OptionPredictor: Sendable {
  /// How the predictor is written, with the parameters that were given.
  var specification: Specification { get }
}
