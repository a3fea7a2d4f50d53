public import Specifications

/// `cascade-dr`: doubly robust under the cascade model, the mean over whole decisions of Σₖ(Wₖ₋₁·vₖ + Wₖ·(rₖ − qₖ)),
/// where Wₖ is the product of the weights up to slot k, and W₀ = 1.
///
/// Unbiased where `cascade-ips` is, whatever the model predicts; with right predictions its variance is smaller. H.
/// Kiyohara et al., "Doubly robust off-policy evaluation for ranking policies under the cascade behavior model" (WSDM
/// 2022). There qₖ predicts the sum of the rewards from slot k on, given all variants up to it. The models here predict
/// the reward of one slot, so qₖ and vₖ are those of slot k alone. Predictions for later slots could be added to both
/// without changing the estimate's mean only where no slot's choices depend on the variants of earlier ones, as they do
/// if a slate has no variant twice; they are left out.
public struct CascadeDoublyRobust: WholeDecisionEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "cascade-dr", "doubly robust cascade-ips, with a model of the reward of each slot",
    source: "Kiyohara et al. 2022")

  /// Creates the estimator.
  public init() {}

  public var rewardModel: RewardModelUse { .unweighted }

  public func terms(ofSlots slots: Span<LoggedDecision>) -> DecisionTerms {
    var (weight, sum) = (1.0, 0.0)
    for index in slots.indices {
      let slot = slots[index]
      let before = weight
      weight *= slot.weight
      sum += before * slot.expected + weight * (slot.reward - slot.modelled)
    }
    return DecisionTerms(mean: sum)
  }
}
