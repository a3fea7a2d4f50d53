public import Specifications

/// `pseudo-inverse-sn`: the pseudo-inverse with normalized weights, ΣG·R/ΣG with G = Σwₖ − K + 1.
///
/// "wPI" of A. Swaminathan et al., "Off-policy evaluation for slate recommendation" (NeurIPS 2017). The weights may be
/// negative, and so may their sum if there are few decisions.
public struct PseudoInverseSelfNormalized: WholeDecisionEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "pseudo-inverse-sn", "pseudo-inverse over the mean of its weights",
    source: "Swaminathan et al. 2017")
  public static let form = TermForm.ratio

  /// Creates the estimator.
  public init() {}

  public func terms(ofSlots slots: Span<LoggedDecision>) -> DecisionTerms {
    let weight = slots.pseudoInverseWeight
    return DecisionTerms(numerator: weight * slots.rewardSum, denominator: weight)
  }
}
