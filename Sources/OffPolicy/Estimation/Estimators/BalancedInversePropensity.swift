public import Specifications

/// `balanced-ips`: inverse propensity scoring, the mean of w·r, with propensities estimated from the log.
///
/// For logs whose propensities are unknown or in doubt. A. Sondhi, D. Arbour and D. Dimmery, "Balanced off-policy
/// evaluation in general action spaces" (AISTATS 2020).
public struct BalancedInversePropensity: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "balanced-ips", "balanced IPS: the weights use propensities estimated from the log",
    source: "Sondhi, Arbour and Dimmery 2020")

  /// Creates the estimator.
  public init() {}

  public var weights: WeightKind { .balanced }
  public var usesWeightsAlone: Bool { true }
}
