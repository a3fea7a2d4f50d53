/// A policy whose index is the largest q with n·kl(m, q) ≤ a level, for the Kullback–Leibler divergence kl between
/// Bernoulli distributions and rewards in 0 ... 1.
public protocol DivergenceIndexPolicy: IndexPolicy {
  /// Returns the level of a variant with at least one decision; if it is not positive, the index is the mean.
  func level(_ arm: ArmTally, _ now: IndexSituation) -> Double
}

extension DivergenceIndexPolicy {
  public static var needsUnitRewards: Bool { true }

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    BernoulliDivergence.upperBound(arm.mean, level: level(arm, now) / Double(arm.decisions))
  }

  /// Returns whether n·kl(m, q) ≤ the level for the best index q.
  @inline(__always)
  public func mayReach(_ best: Double, _ arm: ArmTally, _ now: IndexSituation) -> Bool {
    BernoulliDivergence.mayReach(
      best, arm.mean, level: level(arm, now) / Double(arm.decisions))
  }
}
