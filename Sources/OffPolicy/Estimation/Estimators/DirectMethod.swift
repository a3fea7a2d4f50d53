public import Specifications

/// `dm`: the direct method, the mean of v, the reward model's prediction for the target policy.
///
/// As good as the model: it has a bias, and an error of the model that the spread of the predictions does not show, so
/// that there is no standard error. M. Dudík, J. Langford and L. Li, "Doubly robust policy evaluation and learning"
/// (ICML 2011), section 2.1.
public struct DirectMethod: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "dm", "direct method: the mean prediction of the reward model for the target policy",
    source: "Dudik, Langford and Li 2011, section 2.1")

  /// Creates the estimator.
  public init() {}

  public var rewardModel: RewardModelUse { .unweighted }

  public func weight(of decision: LoggedDecision) -> Double { 0 }

  public func terms(of decision: LoggedDecision) -> DecisionTerms {
    DecisionTerms(mean: decision.expected)
  }
}
