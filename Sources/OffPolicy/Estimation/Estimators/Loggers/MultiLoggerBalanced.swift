public import Specifications

/// `multi-balanced-ips`: balanced IPS for the log of several logging policies, the mean of w·r, where w has the mean of
/// all logging policies' probabilities of the variant, by their shares of the decisions (``WeightKind/mixture``).
///
/// Unbiased if the logging policies together cover the target policy, with a variance at most that of
/// ``MultiLoggerInversePropensity``. The log has the probability of one logging policy only; those of the others are
/// estimated from their decisions in the same place. A. Agarwal, S. Basu, T. Schnabel and T. Joachims, "Effective
/// evaluation using logged bandit feedback from multiple loggers" (KDD 2017).
public struct MultiLoggerBalanced: TermEstimator, Parameterless {
  public static let info = SpecificationInfo(
    "multi-balanced-ips",
    "IPS with the mean propensity of all logging policies, estimated for the others",
    source: "Agarwal et al. 2017")

  /// Creates the estimator.
  public init() {}

  public var weights: WeightKind { .mixture }
  public var usesWeightsAlone: Bool { true }
}
