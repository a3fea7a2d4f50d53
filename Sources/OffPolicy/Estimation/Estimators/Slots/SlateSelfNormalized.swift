public import Specifications

/// `slate-snips`: self-normalized IPS of whole decisions, ΣW·R/ΣW, where W is the product of the weights of a whole
/// decision's slots and R the sum of their rewards.
///
/// The self-normalized form of ``SlateInversePropensity``: `snsips` of Open Bandit Pipeline. A. Swaminathan and T.
/// Joachims, "The self-normalized estimator for counterfactual learning" (NeurIPS 2015).
public struct SlateSelfNormalized: WholeDecisionEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "slate-snips", "slate-ips over the mean of the products of weights",
    source: "McInerney et al. 2020; Swaminathan and Joachims 2015")
  public static let form = TermForm.ratio

  /// Creates the estimator.
  public init() {}

  public func terms(ofSlots slots: Span<LoggedDecision>) -> DecisionTerms {
    let weight = slots.weightProduct
    return DecisionTerms(numerator: weight * slots.rewardSum, denominator: weight)
  }
}
