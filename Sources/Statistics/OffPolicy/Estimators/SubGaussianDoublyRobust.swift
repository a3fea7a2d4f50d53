public import Specifications

/// `sub-gaussian-dr:lambda=0.05`: doubly robust with w/(1 − λ + λw) in place of w, which is below 1/λ.
///
/// A. M. Metelli, A. Russo and M. Restelli, "Subgaussian and differentiable importance sampling for off-policy
/// evaluation and learning" (NeurIPS 2021).
public struct SubGaussianDoublyRobust: TunableEstimator {
  private static let lambda = Parameter.number(
    "lambda", default: 0.05, in: 0...1, "strength, where 0 leaves the weights unchanged, {range}")

  public static let info = SpecificationInfo(
    "sub-gaussian-dr", "doubly robust with weights that are bounded by 1/lambda smoothly", [lambda],
    source: "Metelli, Russo and Restelli 2021")
  public static let form = TermForm.mean
  public static let tuning = Tuning(
    "lambda", candidates: [0, 0.0001, 0.001, 0.01, 0.05, 0.1, 0.5], leastBiased: .smallest)

  public let specification: Specification
  private let lambda: Double

  /// Creates the estimator; ``info`` lists the range and the default of the parameter.
  ///
  /// - Throws: ``SpecificationError`` if the value is out of range.
  public init(lambda: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.lambda.written(lambda)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    lambda = try Self.lambda.value(in: specification)
  }

  public var rewardModel: RewardModelUse { .unweighted }

  public func correction(of decision: LoggedDecision) -> Double? {
    decision.subGaussianWeight(lambda)
  }

  public func terms(of decision: LoggedDecision) -> DecisionTerms {
    DecisionTerms(mean: decision.doublyRobust(decision.subGaussianWeight(lambda)))
  }
}
