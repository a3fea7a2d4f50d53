public import Specifications

/// `mrdr`: more robust doubly robust, the mean of v + w·(r − q) with a reward model that is fitted to minimize the
/// variance of the estimate.
///
/// The terms are those of `dr`; ``RewardModelUse/fitWeight(target:propensity:)`` has the weights of the fit. M.
/// Farajtabar, Y. Chow and M. Ghavamzadeh, "More robust doubly robust off-policy evaluation" (ICML 2018).
public struct MoreRobustDoublyRobust: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "mrdr", "more robust doubly robust: DR whose model is fitted to minimize the variance",
    source: "Farajtabar, Chow and Ghavamzadeh 2018")

  /// Creates the estimator.
  public init() {}

  public var rewardModel: RewardModelUse { .varianceMinimizing }
}
