public import Specifications

/// An estimator with w/(1 − λ + λw) in place of w, which is below 1/λ.
///
/// A. M. Metelli, A. Russo and M. Restelli, "Subgaussian and differentiable importance sampling for off-policy
/// evaluation and learning" (NeurIPS 2021).
public protocol SubGaussianEstimator: TunableEstimator {
  /// The strength, where 0 leaves the weights unchanged.
  var lambda: Double { get set }
}

extension SubGaussianEstimator {
  public func weight(of decision: LoggedDecision) -> Double {
    decision.weight > 0 ? decision.weight / (1 - lambda + lambda * decision.weight) : 0
  }

  public static var tuning: Tuning {
    Tuning(
      "lambda", candidates: [0, 0.0001, 0.001, 0.01, 0.05, 0.1, 0.5], leastBiased: .smallest)
  }

  public static var parameters: [Field] {
    [
      Field.number(
        "lambda", \.lambda, in: 0...1, "strength, where 0 leaves the weights unchanged, {range}")
    ]
  }
}

/// `sub-gaussian-ips:lambda=0.05`: inverse propensity scoring with the weights of a ``SubGaussianEstimator``.
public struct SubGaussianInversePropensity: SubGaussianEstimator {
  public static let info = SpecificationInfo(
    "sub-gaussian-ips", "IPS with weights that are bounded by 1/lambda smoothly",
    source: "Metelli, Russo and Restelli 2021", example: "sub-gaussian-ips:lambda=0.05")

  public var lambda = 0.05
  public var specification = Self.info.specification()

  /// Creates the estimator with the default of each parameter.
  public init() {}
}

/// `sub-gaussian-dr:lambda=0.05`: doubly robust with the weights of a ``SubGaussianEstimator``.
public struct SubGaussianDoublyRobust: SubGaussianEstimator {
  public static let info = SpecificationInfo(
    "sub-gaussian-dr", "doubly robust with weights that are bounded by 1/lambda smoothly",
    source: "Metelli, Russo and Restelli 2021", example: "sub-gaussian-dr:lambda=0.05")

  public var lambda = 0.05
  public var specification = Self.info.specification()

  /// Creates the estimator with the default of each parameter.
  public init() {}

  public var rewardModel: RewardModelUse { .unweighted }
}
