public import Specifications

/// `pseudo-inverse`: the mean over whole decisions of (Σwₖ − K + 1)·R, where R is the sum of the rewards of the K
/// slots.
///
/// Unbiased if the expected reward of a whole decision is a sum of parts of each slot's variant, and the logging policy
/// chose the variants of the slots independently of each other; only the reward of the whole decision is needed. A.
/// Swaminathan et al., "Off-policy evaluation for slate recommendation" (NeurIPS 2017), for that kind of logging
/// policy; `pi` of vw-estimators. With one slot it is `ips`.
public struct PseudoInverse: WholeDecisionEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "pseudo-inverse", "sum of the slots' weights, less their number, plus one, times the reward",
    source: "Swaminathan et al. 2017")

  /// Creates the estimator.
  public init() {}

  public func terms(ofSlots slots: Span<LoggedDecision>) -> DecisionTerms {
    DecisionTerms(mean: slots.pseudoInverseWeight * slots.rewardSum)
  }
}
