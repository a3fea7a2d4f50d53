public import Statistics

/// `ucb1-tuned`: m + √(ln t / n · min(¼, V + √(2 ln t / n))) with the variance V of the rewards.
///
/// P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem" (Machine Learning 47,
/// 2002), section 4.
public struct UCB1Tuned: IndexPolicy {
  public static let info = SpecificationInfo(
    "ucb1-tuned", "mean + sqrt(ln t / n min(1/4, variance + sqrt(2 ln t / n)))",
    source: "Auer, Cesa-Bianchi and Fischer 2002, section 4")

  public let specification: Specification

  /// Creates the policy.
  public init() { self.init(Self.info.specification(), variants: []) }

  public init(_ specification: Specification, variants: [String]) {
    self.specification = specification
  }

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    let ratio = now.log / Double(arm.decisions)
    return arm.mean + (ratio * min(0.25, arm.variance + (2 * ratio).squareRoot())).squareRoot()
  }

  public static var isEstimateClose: Bool { true }

  @inline(__always)
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, index: Double
  ) -> IndexTerms<Double> {
    IndexTerms(a: arm.mean, b: Double(arm.decisions), c: arm.variance)
  }

  /// Returns the index itself.
  @inline(__always)
  public func estimate(_ terms: IndexTerms<SIMD2<Double>>, _ x: Double) -> SIMD2<Double> {
    let ratio = x / terms.b
    let variance = terms.c + SquareRoot.of(2 * ratio)
    let least = variance.replacing(with: 0.25, where: variance .> 0.25)
    return terms.a + SquareRoot.of(ratio * least)
  }
}
