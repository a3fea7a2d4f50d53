internal import Statistics

/// The Kullback–Leibler divergence between Bernoulli distributions, and the upper confidence bound derived from it.
enum BernoulliDivergence {
  /// Returns kl(p, q) = p ln(p/q) + (1 − p) ln((1 − p)/(1 − q)), with 0 ln 0 = 0; infinite if only q excludes an
  /// outcome.
  static func divergence(_ p: Double, _ q: Double) -> Double {
    if p == q { return 0 }
    return max(0, part(p, q) + part(1 - p, 1 - q))
  }

  private static func part(_ p: Double, _ q: Double) -> Double {
    p > 0 ? p * Double.log(p / q) : 0
  }

  /// Returns the largest q up to 1 with kl(p, q) ≤ level, for p in 0 ... 1.
  ///
  /// Solves kl(p, ·) = level by Newton's method; by convexity, iterates from the right descend to the solution without
  /// passing it. The start is the smaller of two upper bounds, Pinsker's p + √(level/2) and 1 − exp(−(level + H(p))/(1
  /// − p)), which drops the term −p ln q ≥ 0.
  static func upperBound(_ p: Double, level: Double) -> Double {
    if !(level > 0) || p >= 1 { return p }
    let entropy = -(p > 0 ? p * Double.log(p) : 0) - (1 - p) * Double.log(onePlus: -p)
    let limit = -Double.expMinusOne(-(level + entropy) / (1 - p))
    if p <= 0 { return limit }
    var q = min(limit, p + (level / 2).squareRoot())
    for _ in 0..<100 where q < 1 {
      let step = (divergence(p, q) - level) * q * (1 - q) / (q - p)
      guard step > 0x1p-52 * q, q - step > p else { break }
      q -= step
    }
    return q
  }

  /// Returns the slope of ``upperBound(_:level:)`` at a bound q > p; the solution is a concave function of the level.
  ///
  /// Rounding moves the solution by a few units in the last place, or by as much as changes the divergence by that; the
  /// margin is a hundred times larger.
  static func slope(_ p: Double, bound q: Double) -> (slope: Double, margin: Double) {
    let slope = q * (1 - q) / (q - p)
    return (slope, 0x1p-44 * (1 + slope))
  }

  /// Returns whether ``upperBound(_:level:)`` is larger than q; true only if it certainly is.
  static func exceeds(_ q: Double, _ p: Double, level: Double) -> Bool {
    let above = q + 0x1p-44
    if above < p { return true }
    return above < 1 && divergence(p, above) < level * (1 - 0x1p-44) - 0x1p-44
  }
}
