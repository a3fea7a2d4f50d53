public import Specifications

/// `multi-weighted-dr`: doubly robust for the log of several logging policies, the mean of each one's `dr` with weights
/// inverse to their variances (``LoggerSums``).
///
/// N. Kallus, Y. Saito and M. Uehara, "Optimal off-policy evaluation from multiple logging policies" (ICML 2021).
public struct MultiLoggerWeightedDoublyRobust: LoggerWeightedEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "multi-weighted-dr", "dr of each logging policy, weighed by the inverse of its variance",
    source: "Kallus, Saito and Uehara 2021")

  /// Creates the estimator.
  public init() {}

  public var rewardModel: RewardModelUse { .unweighted }
}
