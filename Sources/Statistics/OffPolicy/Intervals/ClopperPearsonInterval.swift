/// `clopper-pearson:rmin=0,rmax=1`: the exact interval of a proportion, for Σwr over the greatest weight as successes
/// of n over the greatest weight as trials.
///
/// C. J. Clopper and E. S. Pearson (Biometrika 26, 1934), applied to weighted rewards as in vw-estimators 0.2.2, with
/// rewards scaled to 0 ... 1. Very wide if one weight is far above the others. With greatest weight b and value V it
/// counts with a variance of b·(V − V²), where that of weighted rewards can be b·V − V²: for V that is not small it
/// covers too rarely, in a simulation with b = 3 and V = 0.56 91 % of the time in place of 95 %.
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
    guard x.isFinite, n.isFinite else { return nil }
    let low = x > 0 ? SpecialFunctions.inverseIncompleteBeta(tail, x, n - x + 1) : 0
    let high = x < n ? 1 - SpecialFunctions.inverseIncompleteBeta(tail, n - x, x + 1) : 1
    return Interval(leastReward + scale * low, leastReward + scale * max(low, high))
  }
}
