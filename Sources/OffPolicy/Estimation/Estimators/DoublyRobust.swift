public import Specifications

/// `dr`: doubly robust, the mean of v + w·(r − q).
///
/// Unbiased if either the propensities or the model are right. M. Dudík, J. Langford and L. Li, "Doubly robust policy
/// evaluation and learning" (ICML 2011).
public struct DoublyRobust: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "dr", "doubly robust: the model's prediction plus the weighted error of the model",
    source: "Dudik, Langford and Li 2011")

  /// Creates the estimator.
  public init() {}

  public var rewardModel: RewardModelUse { .unweighted }
}
