public import Specifications

/// `multi-ips`: naive IPS for the log of several logging policies, the mean of w·r, where w has the propensity of the
/// policy that made the decision.
///
/// The same as `ips`, since a decision's propensity is always that of its own logging policy; listed for comparison
/// with ``MultiLoggerBalanced`` and ``MultiLoggerWeighted``. Unbiased only if every logging policy covers the target
/// policy; one that rarely chooses what the target policy does dominates the variance. A. Agarwal, S. Basu, T. Schnabel
/// and T. Joachims, "Effective evaluation using logged bandit feedback from multiple loggers" (KDD 2017).
public struct MultiLoggerInversePropensity: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "multi-ips", "naive IPS for several logging policies: each decision with its own propensity",
    source: "Agarwal et al. 2017")

  /// Creates the estimator.
  public init() {}

  public var usesWeightsAlone: Bool { true }
}
