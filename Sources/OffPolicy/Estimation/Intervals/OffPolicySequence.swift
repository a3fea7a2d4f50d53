public import Specifications
internal import Statistics

/// `off-policy-sequence:rmin=0,rmax=1,rho=1`: an interval that may be looked at after every decision, valid for every
/// sample size and for weights without limit, which learns from the decisions what to expect of the next one.
///
/// N. Karampatziakis, P. Mineiro and A. Ramdas, "Off-policy confidence sequences" (ICML 2021); `cs` of vw-estimators
/// 0.2.2. With x = w·(r − rmin)/(rmax − rmin), the i-th decision is predicted as x̂ = (½ + Σx of those before)/i, and
/// Σ(x − μ) is sub-exponential with scale 1 at the intrinsic time Σ(x − x̂)²; the bound is that of a gamma mixture with
/// the precision rho (``GammaExponentialMixture``). The upper end mirrors the rewards. ``BernsteinSequence`` expects
/// the same of every decision, and keeps five sums.
///
/// Decisions are taken in the order of their times (``LoggedDecision/time``), at equal times of their keys, so that
/// parts can be merged; that needs 32 bytes for each decision. There is no interval if several decisions are added at
/// once (``OffPolicyEstimate/add(_:times:key:)``), because these have no order.
public struct OffPolicySequence: BoundedRewardMethod {
  public static let info = SpecificationInfo(
    "off-policy-sequence",
    "anytime-valid interval for every sample size, which predicts each decision from earlier ones",
    source: "Karampatziakis, Mineiro and Ramdas 2021",
    example: "off-policy-sequence:rmin=0,rmax=1,rho=1")

  public var rewards = RewardLimits()
  /// The precision of the mixture: the greater, the later the interval is tightest.
  public var rho = 1.0
  public var specification = Self.info.specification()

  /// Creates the method with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.group(\.rewards)
    Field.number(
      "rho", \.rho, in: 1e-3...1e15,
      "precision of the mixture: the greater, the later the interval is tightest, {range}")
  }

  public func makeState(for estimator: any OffPolicyEstimator) -> OrderedWeightedRewards? {
    estimator.usesWeightsAlone ? OrderedWeightedRewards(self) : nil
  }

  /// Returns the interval of decisions in their order.
  func interval(of decisions: [OrderedWeightedRewards.Entry], level: Double) -> Interval? {
    let range = greatestReward - leastReward
    let tail = (1 - level) / 2
    let low = bound(decisions, from: leastReward, range, tail)
    let high = bound(decisions, from: greatestReward, -range, tail)
    guard let low, let high else { return nil }
    let (bottom, top) = (leastReward + range * low, greatestReward - range * high)
    // Both bounds may fail, at any time together with a probability of at most 1 − level.
    return bottom <= top ? Interval(bottom, top) : nil
  }

  /// Returns the lower bound for the mean of w·(r − start)/range, at least 0 and at most 1.
  private func bound(
    _ decisions: [OrderedWeightedRewards.Entry], from start: Double, _ range: Double,
    _ tail: Double
  ) -> Double? {
    var (n, total, time) = (0.0, CompensatedSum(), CompensatedSum())
    for decision in decisions {
      let x = decision.weight * (decision.reward - start) / range
      n += 1
      let error = x - (total.value + 0.5) / n
      time.add(error * error)
      total.add(x)
    }
    guard n > 0, total.value.isFinite, time.value.isFinite else { return nil }
    let mixture = GammaExponentialMixture(rho: rho, scale: 1)
    return min(max((total.value - mixture.bound(time.value, alpha: tail)) / n, 0), 1)
  }
}

/// A sum of which every partial sum is read: A. Neumaier, 1974.
private struct CompensatedSum {
  private var sum = 0.0
  private var lost = 0.0

  var value: Double { sum + lost }

  mutating func add(_ number: Double) {
    let total = sum + number
    lost += abs(sum) >= abs(number) ? (sum - total) + number : (number - total) + sum
    sum = total
  }
}
