/// `clopper-pearson:rmin=0,rmax=1`: the exact interval of a proportion, for Σwr over the greatest weight as successes
/// of n over the greatest weight as trials.
///
/// C. J. Clopper and E. S. Pearson (Biometrika 26, 1934), applied to weighted rewards as in vw-estimators 0.2.2, with
/// rewards scaled to 0 ... 1. Very wide if one weight is far above the others. With greatest weight b and value V it
/// counts with a variance of b·(V − V²), where that of weighted rewards can be b·V − V²: there is no interval if theirs
/// is more than a tenth above its own, as for values that are not small, since it would cover too rarely, at b = 2 and
/// V = 0.9 in 6 of 10 logs.
public struct ClopperPearsonInterval: WeightedRewardMethod {
  public static let info = SpecificationInfo(
    "clopper-pearson", "exact interval of a proportion, for weighted rewards over the top weight",
    [leastRewardParameter, greatestRewardParameter],
    source: "Clopper and Pearson 1934; vw-estimators")

  public let specification: Specification
  public let leastReward: Double
  public let greatestReward: Double

  /// Creates the method.
  ///
  /// - Throws: ``SpecificationError`` if a value is out of range.
  public init(rmin: Double? = nil, rmax: Double? = nil) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        Self.leastRewardParameter.written(rmin), Self.greatestRewardParameter.written(rmax)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    (leastReward, greatestReward) = try Self.rewards(specification)
  }

  /// Returns the interval; nil if all weights are zero.
  public func interval(of sums: WeightedRewardSums, level: Double) -> Interval? {
    let scale = greatestReward - leastReward
    let top = sums.greatestWeight
    guard top > 0 else { return nil }
    let (n, tail) = (Double(sums.count) / top, (1 - level) / 2)
    let x = min(max((sums.wr - leastReward * sums.w) / scale / top, 0), n)
    guard x.isFinite, n.isFinite, allows(sums) else { return nil }
    let low = x > 0 ? SpecialFunctions.inverseIncompleteBeta(tail, x, n - x + 1) : 0
    let high = x < n ? 1 - SpecialFunctions.inverseIncompleteBeta(tail, n - x, x + 1) : 1
    return Interval(leastReward + scale * low, leastReward + scale * max(low, high))
  }

  /// Returns whether weighted rewards, scaled to 0 ... 1, vary hardly more than the interval counts with.
  private func allows(_ sums: WeightedRewardSums) -> Bool {
    let (n, scale, least) = (Double(sums.count), greatestReward - leastReward, leastReward)
    let value = (sums.wr - least * sums.w) / scale / n
    let squares = sums.wwrr - 2 * least * sums.wwr + least * least * sums.ww
    let variance = squares / (scale * scale) / n - value * value
    return variance <= sums.greatestWeight * (value - value * value) * 1.1
  }
}
