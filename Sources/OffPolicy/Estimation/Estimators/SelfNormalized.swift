public import Specifications

/// `snips`: self-normalized inverse propensity scoring, Σwr/Σw.
///
/// Always between the smallest and the greatest reward, and shifts with the rewards. A. Swaminathan and T. Joachims,
/// "The self-normalized estimator for counterfactual learning" (NeurIPS 2015).
public struct SelfNormalized: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "snips", "self-normalized IPS: weighted rewards over the sum of the weights",
    source: "Swaminathan and Joachims 2015")
  public static let form = TermForm.ratio

  /// Creates the estimator.
  public init() {}

  public var usesWeightsAlone: Bool { true }
}
