public import Specifications
public import Statistics

/// `bernstein-sequence:rmin=0,rmax=1,center=0`: an interval that may be looked at after every decision, valid for every
/// sample size and for weights without limit.
///
/// With x = w·(r − rmin)/(rmax − rmin) and mean μ, the sum of x − μ is sub-exponential with scale 1 at the intrinsic
/// time Σ(x − c)², for any c from 0 to 1 fixed in advance: S. R. Howard et al., "Time-uniform, nonparametric,
/// nonasymptotic confidence sequences" (Annals of Statistics 49, 2021), theorem 4, with their gamma mixture
/// (``GammaExponentialMixture``). The upper end mirrors the rewards. N. Karampatziakis, P. Mineiro and A. Ramdas,
/// "Off-policy confidence sequences" (ICML 2021) predict c from earlier decisions instead, which is tighter but depends
/// on their order, so that parts could not be merged.
public struct BernsteinSequence: WeightedRewardMethod {
  public static let info = SpecificationInfo(
    "bernstein-sequence", "anytime-valid interval for every sample size, from bounded rewards",
    source: "Howard et al. 2021, theorem 4", example: "bernstein-sequence:rmin=0,rmax=1,center=0")

  public var rewards = RewardLimits()
  /// The expected value, as a share of the range of the rewards.
  public var center = 0.0
  /// The sum of squared deviations at which the interval is tightest.
  public var tightestAt = 1000.0
  public var specification = Self.info.specification()

  /// Creates the method with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.group(\.rewards)
    Field.number(
      "center", \.center, in: 0...1,
      "expected value, as a share of the range of the rewards, {range}")
    Field.number(
      "tightest-at", \.tightestAt, in: 1e-3...1e15,
      "sum of squared deviations at which the interval is tightest, {range}")
  }

  public func interval(of sums: WeightedRewardSums, level: Double) -> Interval? {
    let range = greatestReward - leastReward
    let low = bound(sums, from: leastReward, range, center: center, tail: (1 - level) / 2)
    let high = bound(sums, from: greatestReward, -range, center: 1 - center, tail: (1 - level) / 2)
    guard let low, let high else { return nil }
    let (bottom, top) = (leastReward + range * low, greatestReward - range * high)
    // Both bounds may fail, at any time together with a probability of at most 1 − level.
    return bottom <= top ? Interval(bottom, top) : nil
  }

  /// Returns the lower bound for the mean of w·(r − start)/range, at least 0 and at most 1.
  private func bound(
    _ sums: WeightedRewardSums, from start: Double, _ range: Double, center: Double, tail: Double
  ) -> Double? {
    let n = Double(sums.count)
    let x = (sums.wr - start * sums.w) / range
    let squares =
      (sums.wwrr - 2 * start * sums.wwr + start * start * sums.ww) / (range * range)
    let time = max(0, squares - 2 * center * x + n * center * center)
    guard x.isFinite, time.isFinite else { return nil }
    let mixture = GammaExponentialMixture(tightestAt: tightestAt, alpha: tail, scale: 1)
    return min(max((x - mixture.bound(time, alpha: tail)) / n, 0), 1)
  }
}
