public import Specifications

/// `replay`: the mean reward of the decisions on which a deterministic target policy agrees with the log.
///
/// A decision matches if its weight is above zero; ``MomentSums/matched`` counts them. Of a policy that draws its
/// choices there is no value: the mean would be that of the logging policy, and ``SelfNormalized`` weighs instead.
/// Unbiased if the logging policy chose uniformly, where it is ``SelfNormalized``; there is no standard error if the
/// propensities of the decisions that match differ. L. Li, W. Chu, J. Langford and X. Wang, "Unbiased offline
/// evaluation of contextual-bandit-based news article recommendation algorithms" (WSDM 2011).
public struct DeterministicReplay: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "replay", "replay: the mean reward where a policy that is sure of its choice agrees",
    source: "Li, Chu, Langford and Wang 2011")
  public static let form = TermForm.ratio

  /// Creates the estimator.
  public init() {}

  public var countsMatches: Bool { true }

  public func weight(of decision: LoggedDecision) -> Double { decision.weight > 0 ? 1 : 0 }
}
