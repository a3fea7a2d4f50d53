public import Specifications

/// `ucb1-tuned`: m + √(ln t / n · min(¼, V + √(2 ln t / n))) with the variance V of the rewards.
///
/// P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem" (Machine Learning
/// 47, 2002), section 4.
public struct UCB1Tuned: IndexPolicy, Parameterless {
  /// Creates the policy.
  public init() {}

  public static let info = SpecificationInfo(
    "ucb1-tuned", "mean + sqrt(ln t / n min(1/4, variance + sqrt(2 ln t / n)))",
    source: "Auer, Cesa-Bianchi and Fischer 2002, section 4")

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    let ratio = now.log / Double(arm.decisions)
    return arm.mean + (ratio * min(0.25, arm.variance + (2 * ratio).squareRoot())).squareRoot()
  }

  public static var isEstimateClose: Bool { true }

  /// Estimates take fewer roots and no division.
  public static var margin: Double { 0x1p-100 }

  /// Returns √(ln t).
  @inline(__always)
  public func abscissa(_ now: IndexSituation) -> Double { SquareRoot.of(now.log) }

  @inline(__always)
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, index: Double
  ) -> IndexTerms<Double> {
    IndexTerms(a: arm.mean, b: 1 / SquareRoot.of(Double(arm.decisions)), c: arm.variance)
  }

  /// Returns m + r √(min(¼, V + √2 r)) with r = √(ln t / n).
  @inline(__always)
  public func estimate(_ terms: IndexTerms<SIMD2<Double>>, _ x: Double) -> SIMD2<Double> {
    let root = x * terms.b
    let variance = terms.c + root * 0x1.6a09e667f3bcdp0
    let least = variance.replacing(with: 0.25, where: variance .> 0.25)
    return terms.a + root * SquareRoot.of(least)
  }
}
