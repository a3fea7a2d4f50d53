/// A policy whose index is the largest q with n·kl(m, q) ≤ a level, for the Kullback–Leibler divergence kl between
/// Bernoulli distributions and rewards in 0 ... 1.
public protocol DivergenceIndexPolicy: IndexPolicy {
  /// Returns the level of a variant with at least one decision; if it is not positive, the index is the mean. It never
  /// falls while the tally stays the same and the number of decisions grows.
  func level(_ arm: ArmTally, _ now: IndexSituation) -> Double

  /// Returns how much the level grows at most for each unit by which ln t grows from now on; by default 1.
  func levelSlope(_ now: IndexSituation) -> Double
}

extension DivergenceIndexPolicy {
  public static var needsUnitRewards: Bool { true }

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    BernoulliDivergence.upperBound(arm.mean, level: level(arm, now) / Double(arm.decisions))
  }

  /// Returns the tangent: the index is a concave function of the level, which is one of ln t.
  @inline(__always)
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, index: Double
  ) -> IndexTerms<Double> {
    let growth = levelSlope(now)
    if growth == 0 || index >= 1 {
      return .line(through: max(index, growth > 0 ? 1 : index), at: now.log, slope: 0, margin: 0)
    }
    guard index > arm.mean else { return .unknown }
    let (slope, margin) = BernoulliDivergence.slope(arm.mean, bound: index)
    return .line(
      through: index, at: now.log, slope: slope * growth / Double(arm.decisions),
      margin: margin * (1 + level(arm, now)))
  }

  /// Returns whether the divergence up to the bound is within the level: one divergence instead of the solution.
  @inline(__always)
  public func exceeds(
    _ bound: Double, _ arm: ArmTally, _ now: IndexSituation, _ memory: inout NoIndexMemory
  ) -> Bool {
    BernoulliDivergence.exceeds(bound, arm.mean, level: level(arm, now) / Double(arm.decisions))
  }

  /// Returns 1, for levels that grow by at most the growth of ln t.
  @inline(__always)
  public func levelSlope(_ now: IndexSituation) -> Double { 1 }
}
