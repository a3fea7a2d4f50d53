public import Specifications
internal import Statistics

/// `imed`: the least n·kl(m, m*) + ln n, for rewards in 0 ... 1.
///
/// J. Honda and A. Takemura, "Non-asymptotic analysis of a new bandit algorithm for semi-bounded rewards" (JMLR 16,
/// 2015), algorithm 1, for Bernoulli rewards. The index is the negative of this number.
public struct IMED: IndexPolicy, Parameterless {
  /// Creates the policy.
  public init() {}

  public static let info = SpecificationInfo(
    "imed", "the least n kl(mean, best mean) + ln n, for rewards in 0 to 1",
    source: "Honda and Takemura 2015, algorithm 1")

  /// Rewards are Bernoulli, or fractions in 0 ... 1.
  public static let needsUnitRewards = true
  /// m* is the best mean.
  public static let needsBestMean = true

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    let n = Double(arm.decisions)
    return -(n * BernoulliDivergence.divergence(arm.mean, now.bestMean) + Double.log(n))
  }

  /// Returns the best mean.
  @inline(__always)
  public func abscissa(_ now: IndexSituation) -> Double { now.bestMean }

  /// Returns the tangent: the divergence is a convex function of the best mean.
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, index: Double
  ) -> IndexTerms<Double> {
    let (n, mean, best) = (Double(arm.decisions), arm.mean, now.bestMean)
    guard best < 1 else { return .unknown }
    let slope = best > 0 ? n * (mean - best) / (best * (1 - best)) : 0
    return .line(through: index, at: best, slope: slope, margin: 0x1p-44 * n)
  }
}
