public import Specifications

/// `ips`: inverse propensity scoring, the mean of w·r.
///
/// Unbiased if the propensities are right and positive wherever the target policy's probability is. D. G. Horvitz and
/// D. J. Thompson, "A generalization of sampling without replacement from a finite universe" (JASA 47, 1952).
public struct InversePropensity: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "ips", "inverse propensity scoring: the mean of weight times reward",
    source: "Horvitz and Thompson 1952")

  /// Creates the estimator.
  public init() {}

  public var usesWeightsAlone: Bool { true }
}
