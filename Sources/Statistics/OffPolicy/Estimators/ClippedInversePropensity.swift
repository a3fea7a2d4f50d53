public import Specifications

/// `clipped-ips:lambda=2`: inverse propensity scoring with weights clipped at λ, the mean of min(w, λ)·r.
///
/// Biased towards zero. E. L. Ionides, "Truncated importance sampling" (Journal of Computational and Graphical
/// Statistics 17, 2008); L. Bottou et al., "Counterfactual reasoning and learning systems" (JMLR 14, 2013).
public struct ClippedInversePropensity: TunableEstimator {
  private static let lambda = Parameter.number(
    "lambda", default: 2, in: 0...1e15, "greatest weight, {range}")

  public static let info = SpecificationInfo(
    "clipped-ips", "clipped IPS: IPS with weights of at most lambda", [lambda],
    source: "Ionides 2008; Bottou et al. 2013")
  public static let form = TermForm.mean
  public static let tuning = Tuning(
    "lambda", candidates: [1000, 100, 50, 20, 10, 5, 3, 2, 1], leastBiased: .largest)

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

  public func terms(of decision: LoggedDecision) -> DecisionTerms {
    DecisionTerms(mean: min(decision.weight, lambda) * decision.reward)
  }
}
