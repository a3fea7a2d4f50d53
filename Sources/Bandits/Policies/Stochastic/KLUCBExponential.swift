public import Statistics

/// `kl-ucb-exponential:c=0`: the largest q with n·(m/q − 1 − ln(m/q)) ≤ ln t + c ln ln t, for exponential rewards.
///
/// A. Garivier and O. Cappé, "The KL-UCB algorithm for bounded stochastic bandits and beyond" (COLT 2011). The bound is
/// proportional to the mean; a mean that is not positive, which such rewards never have, is its own bound.
public struct KLUCBExponential: IndexPolicy {
  private static let c = Parameter.logLogFactor

  public static let info = SpecificationInfo(
    "kl-ucb-exponential", "the largest q with n (mean / q - 1 - ln(mean / q)) <= ln t + c ln ln t",
    [c],
    source: "Garivier and Cappé 2011, for exponential rewards")

  public let specification: Specification
  private let c: Double

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(c: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.c.written(c)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    c = try Self.c.value(in: specification)
  }

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    guard arm.mean > 0 else { return arm.mean }
    return arm.mean * Double.exp(Self.logRatio(level: now.log.explored(c) / Double(arm.decisions)))
  }

  /// Returns whether the divergence up to the best index is within the level.
  public func mayReach(_ best: Double, _ arm: ArmTally, _ now: IndexSituation) -> Bool {
    let ratio = arm.mean / best * (1 + 0x1p-40)
    guard ratio > 0, ratio < 1 else { return true }
    let level = now.log.explored(c) / Double(arm.decisions)
    return !(ratio - 1 - Double.log(ratio) > level * (1 + 0x1p-40) + 0x1p-40)
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
