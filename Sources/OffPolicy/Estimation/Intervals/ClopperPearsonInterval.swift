public import Specifications
public import Statistics

/// `clopper-pearson:rmin=0,rmax=1`: the exact interval of a proportion, for Σwr over the greatest weight b as
/// successes.
///
/// C. J. Clopper and E. S. Pearson (Biometrika 26, 1934), with rewards scaled to 0 ... 1; wide if one weight is far
/// above the others. Trials are n/b, as in vw-estimators 0.2.2, which counts with a variance of b·(V − V²) for a value
/// V. Weighted rewards can vary more, by b·V − V². Where they do, by more than a tenth, trials are all n decisions,
/// each of which has wr/b between 0 and 1, and the ends are multiplied by b: exact where weights are 0 or b and rewards
/// 0 or 1. With n/b trials 6 of 10 intervals would hold the value there, at b = 2 and V = 0.9.
public struct ClopperPearsonInterval: WeightedRewardMethod {
  public static let info = SpecificationInfo(
    "clopper-pearson", "exact interval of a proportion, for weighted rewards over the top weight",
    source: "Clopper and Pearson 1934; vw-estimators", example: "clopper-pearson:rmin=0,rmax=1")

  public var rewards = RewardLimits()
  public var specification = Self.info.specification()

  /// Creates the method with the default of each parameter.
  public init() {}

  public static var parameters: [Field] { Field.group(\.rewards) }

  /// Returns the interval; nil if all weights are zero.
  public func interval(of sums: WeightedRewardSums, level: Double) -> Interval? {
    let scale = greatestReward - leastReward
    let top = sums.greatestWeight
    guard top > 0 else { return nil }
    let (unit, tail) = (allowsFewerTrials(sums) ? 1 : top, (1 - level) / 2)
    let n = Double(sums.count) * unit / top
    let x = min(max((sums.wr - leastReward * sums.w) / scale / top, 0), n)
    guard x.isFinite, n.isFinite else { return nil }
    let low = x > 0 ? SpecialFunctions.inverseIncompleteBeta(tail, x, n - x + 1) : 0
    let high = x < n ? 1 - SpecialFunctions.inverseIncompleteBeta(tail, n - x, x + 1) : 1
    let ends = [low, max(low, high)].map { leastReward + scale * min(1, $0 * unit) }
    return Interval(ends[0], ends[1])
  }

  /// Returns whether weighted rewards, scaled to 0 ... 1, vary hardly more than n/b trials do.
  private func allowsFewerTrials(_ sums: WeightedRewardSums) -> Bool {
    let (n, scale, least) = (Double(sums.count), greatestReward - leastReward, leastReward)
    let value = (sums.wr - least * sums.w) / scale / n
    let squares = sums.wwrr - 2 * least * sums.wwr + least * least * sums.ww
    let variance = squares / (scale * scale) / n - value * value
    return variance <= sums.greatestWeight * (value - value * value) * 1.1
  }
}
