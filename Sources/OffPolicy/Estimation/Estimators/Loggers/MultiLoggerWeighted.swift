public import Specifications

/// `multi-weighted-ips`: weighted IPS for the log of several logging policies, the mean of each one's `ips` with
/// weights inverse to their variances (``LoggerSums``).
///
/// The less a logging policy diverges from the target policy, the more its decisions count. Unbiased up to the
/// estimation of the variances if every logging policy covers the target policy. A. Agarwal, S. Basu, T. Schnabel and
/// T. Joachims, "Effective evaluation using logged bandit feedback from multiple loggers" (KDD 2017), with variances
/// estimated from the decisions. Open Bandit Pipeline's version takes the mean of the weighted terms over the decisions
/// of all loggers, in place of that over each one's own, so that its weights do not sum to 1.
public struct MultiLoggerWeighted: LoggerWeightedEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "multi-weighted-ips", "ips of each logging policy, weighed by the inverse of its variance",
    source: "Agarwal et al. 2017")

  /// Creates the estimator.
  public init() {}
}
