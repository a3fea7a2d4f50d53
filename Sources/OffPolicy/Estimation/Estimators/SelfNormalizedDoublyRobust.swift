public import Specifications

/// `sndr`: doubly robust with normalized weights, Σv/n + Σw(r − q)/Σw.
///
/// P. Thomas and E. Brunskill, "Data-efficient off-policy policy evaluation for reinforcement learning" (ICML 2016),
/// weighted doubly robust, at a horizon of one decision.
public struct SelfNormalizedDoublyRobust: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "sndr", "self-normalized doubly robust: the weighted error over the sum of the weights",
    source: "Thomas and Brunskill 2016")
  public static let form = TermForm.both

  /// Creates the estimator.
  public init() {}

  public var rewardModel: RewardModelUse { .unweighted }
}
