public import Specifications

/// `multi-balanced-dr`: doubly robust for the log of several logging policies, the mean of v + w·(r − q) with the
/// weights of ``MultiLoggerBalanced``.
///
/// N. Kallus, Y. Saito and M. Uehara, "Optimal off-policy evaluation from multiple logging policies" (ICML 2021), which
/// has the least asymptotic variance if the model is right.
public struct MultiLoggerBalancedDoublyRobust: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "multi-balanced-dr", "doubly robust with the weights of multi-balanced-ips",
    source: "Kallus, Saito and Uehara 2021")

  /// Creates the estimator.
  public init() {}

  public var rewardModel: RewardModelUse { .unweighted }
  public var weights: WeightKind { .mixture }
}
