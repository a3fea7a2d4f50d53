public import Specifications

/// `replay`: the mean reward of the decisions on which a deterministic target policy agrees with the log.
///
/// A decision matches if its weight is above zero; ``EstimatorSums/matched`` counts them. Unbiased if the logging
/// policy chose uniformly. L. Li, W. Chu, J. Langford and X. Wang, "Unbiased offline evaluation of
/// contextual-bandit-based news article recommendation algorithms" (WSDM 2011).
public struct DeterministicReplay: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "replay", "replay: the mean reward of the decisions on which the target policy agrees",
    source: "Li, Chu, Langford and Wang 2011")
  public static let form = TermForm.ratio

  /// Creates the estimator.
  public init() {}

  public func terms(of decision: LoggedDecision) -> DecisionTerms {
    let isMatch = decision.weight > 0
    return DecisionTerms(numerator: isMatch ? decision.reward : 0, denominator: isMatch ? 1 : 0)
  }
}
