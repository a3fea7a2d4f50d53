public import Specifications

/// `clipped-ips:lambda=2`: inverse propensity scoring with weights clipped at λ, the mean of min(w, λ)·r.
///
/// Biased towards zero, and without standard error where that shows. E. L. Ionides, "Truncated importance sampling"
/// (Journal of Computational and Graphical Statistics 17, 2008); L. Bottou et al., "Counterfactual reasoning and
/// learning systems" (JMLR 14, 2013).
public struct ClippedInversePropensity: TunableEstimator {
  public static let info = SpecificationInfo(
    "clipped-ips", "clipped IPS: IPS with weights of at most lambda",
    source: "Ionides 2008; Bottou et al. 2013", example: "clipped-ips:lambda=2")
  public static let tuning = Tuning(
    "lambda", candidates: [1000, 100, 50, 20, 10, 5, 3, 2, 1], leastBiased: .largest)

  /// The greatest weight.
  public var lambda = 2.0
  public var specification = Self.info.specification()

  /// Creates the estimator with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.number("lambda", \.lambda, in: 0...1e15, "greatest weight, {range}")
  }

  public func weight(of decision: LoggedDecision) -> Double { min(decision.weight, lambda) }
}
