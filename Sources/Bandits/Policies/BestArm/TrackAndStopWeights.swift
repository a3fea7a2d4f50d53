internal import Statistics

/// The optimal allocation of decisions to variants for fixed-confidence best-arm identification.
///
/// A. Garivier and E. Kaufmann, "Optimal best arm identification with fixed confidence" (COLT 2016): no method with an
/// error probability of at most δ needs fewer than T*·kl(δ, 1 − δ) decisions on average (theorem 1), and T* is attained
/// by giving variant a the share w*ₐ of them (lemma 3 and theorem 5).
///
/// With the best variant 1 and gₐ(x) = d(μ₁, m) + x·d(μₐ, m), m = (μ₁ + x·μₐ)/(1 + x), the weights are proportional to
/// 1 and the xₐ with gₐ(xₐ) = y for the one y with Σ d(μ₁, mₐ)/d(μₐ, mₐ) = 1, and T* = (1 + Σ xₐ)/y.
public struct TrackAndStopWeights: Hashable, Sendable {
  /// The family of the reward distributions, common to all variants.
  public enum Rewards: Hashable, Sendable {
    /// Bernoulli rewards. Means are kept at least 1e-9 away from 0 and 1.
    case bernoulli
    /// Normal rewards with this standard deviation, above 0.
    case gaussian(deviation: Double)
  }

  /// The weight w* of each variant; they add up to 1.
  public let weights: [Double]
  /// The characteristic time T*: infinite if several variants are tied for the best, 0 for a single variant.
  public let characteristicTime: Double

  /// Computes the weights.
  ///
  /// Variants tied for the best get equal weights. If a mean is not finite all weights are equal and the time is
  /// infinite.
  ///
  /// - Parameters:
  ///   - means: The mean reward of each variant.
  ///   - rewards: The family of the reward distributions.
  /// - Complexity: About 10 steps of Newton's method, each with a few for each variant.
  public init(means: [Double], rewards: Rewards = .bernoulli) {
    let count = Double(means.count)
    guard means.count > 1, means.allSatisfy(\.isFinite) else {
      weights = means.map { _ in 1 / count }
      characteristicTime = means.count > 1 ? .infinity : 0
      return
    }
    let top = means.reduce(-Double.infinity) { max($0, $1) }
    let family: RewardFamily
    var scaled = means
    var factor = 1.0
    switch rewards {
    case .bernoulli:
      family = .bernoulli
      scaled = means.map { min(max($0, 1e-9), 1 - 1e-9) }
    case .gaussian(let deviation):
      // Scaled by the largest gap, so that nothing overflows.
      family = .gaussian
      let gap = means.reduce(0) { max($0, top / 2 - $1 / 2) }
      scaled = means.map { gap > 0 ? -(top / 2 - $0 / 2) / gap : 0 }
      let ratio = deviation / gap / 2
      factor = ratio * ratio
    }
    let solver = WeightSolver(scaled, family)
    (weights, characteristicTime) = (solver.weights, solver.time * factor)
  }
}

/// A one-parameter exponential family.
enum RewardFamily: Sendable {
  case bernoulli
  /// With variance 1.
  case gaussian

  /// Returns the Kullback–Leibler divergence of the distribution with mean q from that with mean p, accurate even if
  /// they are close; for Bernoulli distributions 0 ≤ p ≤ 1 and 0 < q < 1.
  func divergence(_ p: Double, _ q: Double) -> Double {
    switch self {
    case .gaussian: return (p - q) * (p - q) / 2
    case .bernoulli:
      let gap = q - p
      let head = p > 0 ? p * Self.logOnePlusMinus(gap / p) : -gap
      let tail = p < 1 ? (1 - p) * Self.logOnePlusMinus(-gap / (1 - p)) : gap
      return max(0, -(head + tail))
    }
  }

  /// Returns the variance at mean m.
  func variance(_ m: Double) -> Double {
    switch self {
    case .gaussian: 1
    case .bernoulli: m * (1 - m)
    }
  }

  /// ln(1 + z) − z.
  private static func logOnePlusMinus(_ z: Double) -> Double {
    abs(z) < 0.5 ? SpecialFunctions.logOnePlusMinus(z) : Double.log(onePlus: z) - z
  }
}

/// A solver for the weights by bracketed Newton's method.
private struct WeightSolver {
  let weights: [Double]
  let time: Double

  init(_ means: [Double], _ family: RewardFamily) {
    let best = means.indices.reduce(0) { means[$1] > means[$0] ? $1 : $0 }
    let top = means[best]
    let others = means.indices.filter { $0 != best }
    var (low, high) = (
      0.0, others.reduce(Double.infinity) { min($0, family.divergence(top, means[$1])) }
    )
    guard high > Double.leastNormalMagnitude, others.allSatisfy({ means[$0] < top }) else {
      let tied = means.map { $0 == top }
      let share = 1 / Double(tied.count { $0 })
      weights = tied.map { $0 ? share : 0 }
      time = .infinity
      return
    }
    var parts = means.map { _ in 0.0 }
    parts[best] = 1
    var y = high / 2
    for _ in 0..<100 {
      var (sum, slope) = (-1.0, 0.0)
      for other in others {
        let solved = Self.part(top, means[other], y, family)
        parts[other] = solved.x
        sum += solved.ratio
        slope += solved.slope
      }
      if sum > 0 { high = y } else { low = y }
      let newton = y - sum / slope
      let next = newton > low && newton < high ? newton : low + (high - low) / 2
      // The next step would change only the last digits.
      if abs(next - y) <= 1e-14 * y { break }
      y = next
    }
    let total = parts.reduce(0, +)
    weights = parts.map { $0 / total }
    time = total / y
  }

  /// Returns x with g(x) = y, the ratio d(μ₁, m)/d(μ, m) there, and its derivative with respect to y.
  private static func part(
    _ top: Double, _ mean: Double, _ y: Double, _ family: RewardFamily
  ) -> (x: Double, ratio: Double, slope: Double) {
    // g is concave with g' = d(μ, m), so Newton's method climbs from 0 to the solution without passing it.
    var x = 0.0
    var (m, fromTop, fromMean) = (top, 0.0, family.divergence(mean, top))
    for _ in 0..<200 {
      let step = (y - fromTop - x * fromMean) / fromMean
      guard step > 1e-15 * x, step.isFinite else { break }
      x += step
      m = (top + x * mean) / (1 + x)
      fromTop = family.divergence(top, m)
      fromMean = family.divergence(mean, m)
    }
    guard fromMean > 0 else { return (x, .infinity, .infinity) }
    let shift = (mean - top) / ((1 + x) * (1 + x) * fromMean)
    let bend =
      ((m - top) * fromMean - (m - mean) * fromTop) / (family.variance(m) * fromMean * fromMean)
    return (x, fromTop / fromMean, bend * shift)
  }
}
