public import Specifications

/// `cascade-ips`: reward interaction IPS, the mean over whole decisions of Σₖ(Πⱼwⱼ)·rₖ, with the product over the slots
/// j up to slot k.
///
/// Unbiased if the reward of a slot depends on its own variant and on those of the slots before it (cascade click
/// model: a user looks at one slot after the other), in the order of the log. Its variance is below that of
/// ``SlateInversePropensity`` and above that of ``IndependentInversePropensity``. J. McInerney et al., "Counterfactual
/// evaluation of slate recommendations with sequential reward interactions" (KDD 2020).
public struct CascadeInversePropensity: WholeDecisionEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "cascade-ips", "reward interaction IPS: each slot weighed by the product up to it",
    source: "McInerney et al. 2020")

  /// Creates the estimator.
  public init() {}

  public func terms(ofSlots slots: Span<LoggedDecision>) -> DecisionTerms {
    var (weight, sum) = (1.0, 0.0)
    for index in slots.indices {
      weight *= slots[index].weight
      sum += weight * slots[index].reward
    }
    return DecisionTerms(mean: sum)
  }
}
