public import Specifications

/// `slate-ips`: inverse propensity scoring of whole decisions, the mean of W·R, where W is the product of the weights
/// of a whole decision's slots and R the sum of their rewards.
///
/// Unbiased without any assumption on how the slots influence each other's rewards, with a variance that grows
/// exponentially with the number of slots. "Standard IPS" of J. McInerney et al., "Counterfactual evaluation of slate
/// recommendations with sequential reward interactions" (KDD 2020).
public struct SlateInversePropensity: WholeDecisionEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "slate-ips", "IPS of whole decisions: the product of all slots' weights times the reward",
    source: "McInerney et al. 2020")

  /// Creates the estimator.
  public init() {}

  public func terms(ofSlots slots: Span<LoggedDecision>) -> DecisionTerms {
    DecisionTerms(mean: slots.weightProduct * slots.rewardSum)
  }
}
