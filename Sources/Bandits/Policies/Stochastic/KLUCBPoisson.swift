public import Specifications
internal import Statistics

/// `kl-ucb-poisson:c=0`: the largest q with n·(q − m + m ln(m/q)) ≤ ln t + c ln ln t, for Poisson rewards.
///
/// O. Cappé, A. Garivier, O.-A. Maillard, R. Munos and G. Stoltz, "Kullback–Leibler upper confidence bounds for optimal
/// sequential allocation" (Annals of Statistics 41, 2013), algorithm 1 for Poisson rewards. A mean below 0, which
/// counts never have, is added to the bound for 0.
public struct KLUCBPoisson: LogLogPolicy {
  /// The factor of ln ln t.
  public var c = 0.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "kl-ucb-poisson", "the largest q with n (q - mean + mean ln(mean / q)) <= ln t + c ln ln t",
    source: "Cappé, Garivier, Maillard, Munos and Stoltz 2013, algorithm 1",
    example: "kl-ucb-poisson:c=0")

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    let level = now.log.explored(c) / Double(arm.decisions)
    return min(0, arm.mean) + Self.upperBound(max(0, arm.mean), level: level)
  }

  /// Returns the tangent: the index is a concave function of the level. The rounding error of a divergence between
  /// large means is proportional to them.
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, index: Double
  ) -> IndexTerms<Double> {
    let n = Double(arm.decisions)
    let p = max(0, arm.mean)
    let rate = p > 0 ? index / (index - p) : 1
    guard rate >= 1 else { return .unknown }
    let level = now.log.explored(c) / n
    let margin = 0x1p-40 * (1 + rate) * (abs(arm.mean) + abs(index) + level)
    return .line(
      through: index, at: now.log, slope: rate * now.log.exploredSlope(c) / n, margin: margin)
  }

  /// Returns kl(p, q) = q − p + p ln(p/q) for p > 0.
  static func divergence(_ p: Double, _ q: Double) -> Double { q - p + p * Double.log(p / q) }

  /// Returns the largest q with kl(p, q) ≤ level, for p from 0 upwards.
  ///
  /// Solves kl(p, ·) = level by Newton's method; by convexity, iterates from the right descend to the solution without
  /// passing it. The start follows from kl(p, q) ≥ (q − p)²/(2q).
  static func upperBound(_ p: Double, level: Double) -> Double {
    guard level > 0 else { return p }
    if p <= 0 { return level }
    var q = p + level + (level * (level + 2 * p)).squareRoot()
    guard q < .infinity else { return q }
    for _ in 0..<100 {
      let step = (divergence(p, q) - level) * q / (q - p)
      guard step > 0x1p-52 * q, q - step > p else { break }
      q -= step
    }
    return q
  }
}
