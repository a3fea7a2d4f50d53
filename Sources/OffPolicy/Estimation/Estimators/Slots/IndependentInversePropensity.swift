public import Specifications

/// `independent-ips`: inverse propensity scoring of each slot by itself, the mean over whole decisions of Σwₖ·rₖ.
///
/// Unbiased if the reward of a slot does not depend on the variants in the others (item-position click model), and if a
/// slot's probabilities do not depend on those chosen before. S. Li et al., "Offline evaluation of ranking policies
/// with click models" (KDD 2018); "independent IPS" of J. McInerney et al. (KDD 2020).
public struct IndependentInversePropensity: WholeDecisionEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "independent-ips", "IPS of each slot by itself: for rewards independent of other slots",
    source: "Li et al. 2018; McInerney et al. 2020")

  /// Creates the estimator.
  public init() {}

  public func terms(ofSlots slots: Span<LoggedDecision>) -> DecisionTerms {
    DecisionTerms(
      mean: slots.indices.reduce(0) { $0 + slots[$1].weight * slots[$1].reward })
  }
}
