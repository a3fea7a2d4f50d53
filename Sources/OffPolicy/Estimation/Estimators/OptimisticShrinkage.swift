public import Specifications

/// `dros:lambda=5`: doubly robust with optimistically shrunk weights, λw/(w² + λ) in place of w.
///
/// λ = 0 is the direct method, and the estimate approaches the doubly robust one as λ grows. Y. Su, M. Dimakopoulou, A.
/// Krishnamurthy and M. Dudík, "Doubly robust off-policy evaluation with shrinkage" (ICML 2020).
public struct OptimisticShrinkage: TunableEstimator {
  public static let info = SpecificationInfo(
    "dros", "doubly robust with optimistic shrinkage of the weights",
    source: "Su, Dimakopoulou, Krishnamurthy and Dudik 2020", example: "dros:lambda=5")
  public static let tuning = Tuning(
    "lambda", candidates: [100_000, 10_000, 1000, 100, 50, 20, 10, 5, 2, 1], leastBiased: .largest)

  /// The strength, where 0 leaves the model's prediction only.
  public var lambda = 5.0
  public var specification = Self.info.specification()

  /// Creates the estimator with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.number(
      "lambda", \.lambda, in: 0...1e15,
      "strength, where 0 leaves the model's prediction only, {range}")
  }

  public var rewardModel: RewardModelUse { .unweighted }

  public func weight(of decision: LoggedDecision) -> Double {
    let w = decision.weight
    return w > 0 ? lambda * w / (w * w + lambda) : 0
  }
}
