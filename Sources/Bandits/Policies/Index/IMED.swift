public import Statistics

/// `imed`: the least n·kl(m, m*) + ln n, for rewards in 0 ... 1.
///
/// J. Honda and A. Takemura, "Non-asymptotic analysis of a new bandit algorithm for semi-bounded rewards" (JMLR 16, 2015),
/// algorithm 1, for rewards that are 0 or 1. The index is the negated number.
public struct IMED: IndexPolicy {
  /// What there is to say about it.
  public static let guide = Guide(
    "imed", "the least n kl(mean, best mean) + ln n, for rewards in 0 to 1",
    source: "Honda and Takemura 2015, algorithm 1")

  /// Rewards are those of Bernoulli variants, or parts of them.
  public static let needsUnitRewards = true
  /// m* is the best mean.
  public static let needsBestMean = true

  /// How it is written.
  public let specification: Specification

  /// Makes the policy.
  public init() { self.init(Self.guide.specification(), variants: []) }

  /// Makes the policy, which has no parameters.
  public init(_ specification: Specification, variants: [String]) {
    self.specification = specification
  }

  /// The index of a variant.
  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    let n = Double(arm.decisions)
    return -(n * BernoulliDivergence.divergence(arm.mean, now.bestMean) + Double.log(n))
  }
}
