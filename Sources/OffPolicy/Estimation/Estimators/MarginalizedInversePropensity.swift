public import Specifications

/// `mips`: marginalized inverse propensity scoring, the mean of w·r, where w is the ratio of both policies'
/// probabilities of the chosen variant's group.
///
/// Less variance than `ips` if there are many variants; unbiased if within a group the variant makes no difference to
/// the reward. Y. Saito and T. Joachims, "Off-policy evaluation for large action spaces via embeddings" (ICML 2022).
public struct MarginalizedInversePropensity: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "mips", "marginalized IPS: the weights are those of groups of variants",
    source: "Saito and Joachims 2022")

  /// Creates the estimator.
  public init() {}

  public var weights: WeightKind { .marginal }
  public var usesWeightsAlone: Bool { true }
}
