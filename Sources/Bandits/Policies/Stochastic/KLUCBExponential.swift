public import Specifications
internal import Statistics

/// `kl-ucb-exponential:c=0`: the largest q with n·(m/q − 1 − ln(m/q)) ≤ ln t + c ln ln t, for exponential rewards.
///
/// A. Garivier and O. Cappé, "The KL-UCB algorithm for bounded stochastic bandits and beyond" (COLT 2011). The bound is
/// proportional to the mean; a mean that is not positive, which such rewards never have, is its own bound.
public struct KLUCBExponential: LogLogPolicy {
  /// The factor of ln ln t.
  public var c = 0.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "kl-ucb-exponential", "the largest q with n (mean / q - 1 - ln(mean / q)) <= ln t + c ln ln t",
    source: "Garivier and Cappé 2011, for exponential rewards", example: "kl-ucb-exponential:c=0")

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    guard arm.mean > 0 else { return arm.mean }
    return arm.mean * Double.exp(Self.logRatio(level: now.log.explored(c) / Double(arm.decisions)))
  }

  /// Returns the tangent of the logarithm, which is a concave function of the level; c is a mean that is not positive.
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, index: Double
  ) -> IndexTerms<Double> {
    let mean = arm.mean
    guard mean > 0 else { return IndexTerms(a: -.infinity, b: 0, c: mean) }
    let n = Double(arm.decisions)
    let u = Double.log(index / mean)
    guard u > 0x1p-20 else { return .unknown }
    let slope = -1 / Double.expMinusOne(-u)
    return .line(
      through: Double.log(index), at: now.log, slope: slope * now.log.exploredSlope(c) / n,
      margin: 0x1p-24 * slope * u)
  }

  @inline(__always)
  public func estimate(_ terms: IndexTerms<SIMD2<Double>>, _ x: Double) -> SIMD2<Double> {
    let log = terms.a + terms.b * x
    return terms.c + SIMD2(Double.exp(log[0]), Double.exp(log[1]))
  }

  /// Returns the largest u with e⁻ᵘ − 1 + u ≤ level: the logarithm of q/m.
  ///
  /// Newton's method on a convex function, from a start on the right, which follows from e⁻ᵘ ≥ (2 − u)/(2 + u) and from
  /// e⁻ᵘ ≥ 0.
  static func logRatio(level: Double) -> Double {
    guard level > 0 else { return 0 }
    var u = min(level + 1, 0.5 * (level + (level * (level + 8)).squareRoot()))
    for _ in 0..<100 {
      // 1 − e⁻ᵘ is both the slope and a part of the function.
      let slope = -Double.expMinusOne(-u)
      let step = (u - slope - level) / slope
      guard step > 0x1p-52 * u, step < u else { break }
      u -= step
    }
    return u
  }
}
