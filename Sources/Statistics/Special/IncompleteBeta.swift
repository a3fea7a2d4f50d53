extension SpecialFunctions {
  /// The regularized incomplete Beta function I_x(a, b): the probability that a Beta(a, b) variable is at most `x`.
  ///
  /// The smaller of the two tails is computed directly, and has a relative error of at most 5e-13 where measured
  /// (parameters from 0.01 to 2000, tails down to 1e-300); the absolute error is at most 4e-15. The rounding of `x`
  /// itself costs more when both parameters are large.
  ///
  /// - Parameters:
  ///   - x: in 0 ... 1.
  ///   - a: positive and finite.
  ///   - b: positive and finite.
  /// - Returns: a probability.
  /// - Complexity: O(√max(a, b)) steps of a continued fraction.
  public static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    precondition(x >= 0 && x <= 1, "the incomplete Beta function needs x in 0 ... 1")
    return incompleteBetaTails(BetaPoint(x, 1 - x), a, b).lower
  }

  /// The upper tail 1 − I_x(a, b), with full relative accuracy if it is small.
  ///
  /// - Parameters:
  ///   - x: in 0 ... 1.
  ///   - a: positive and finite.
  ///   - b: positive and finite.
  /// - Returns: a probability.
  /// - Complexity: O(√max(a, b)) steps of a continued fraction.
  public static func incompleteBetaComplement(_ x: Double, _ a: Double, _ b: Double) -> Double {
    precondition(x >= 0 && x <= 1, "the incomplete Beta function needs x in 0 ... 1")
    return incompleteBetaTails(BetaPoint(x, 1 - x), a, b).upper
  }

  /// The probability that a Beta(a, b) variable x has a larger ln(x/(1 − x)).
  package static func betaUpperTail(logit: Double, _ a: Double, _ b: Double) -> Double {
    incompleteBetaTails(BetaPoint(logit: logit), a, b).upper
  }

  /// Returns both tails; the smaller one is computed and the other is its complement.
  static func incompleteBetaTails(
    _ point: BetaPoint, _ a: Double, _ b: Double
  ) -> (lower: Double, upper: Double) {
    let tails = betaTailsAndDensity(point, a, b)
    return (tails.lower, tails.upper)
  }

  /// Returns both tails, and the logarithm of the density in ln(x/y), from which the smaller tail is computed.
  static func betaTailsAndDensity(
    _ point: BetaPoint, _ a: Double, _ b: Double
  ) -> (lower: Double, upper: Double, logDensity: Double) {
    precondition(a > 0 && b > 0, "the incomplete Beta function needs positive a and b")
    if point.x <= 0 { return (0, 1, -.infinity) }
    if point.y <= 0 { return (1, 0, -.infinity) }
    let isLeft = point.isLeftOfCenter(a, b)
    let (near, kernel) = isLeft ? (point, BetaKernel(a, b)) : (point.mirrored, BetaKernel(b, a))
    let logDensity = kernel.logDensity(near)
    let tail = min(1, Double.exp(kernel.logTail(near, logDensity: logDensity)))
    return isLeft ? (tail, 1 - tail, logDensity) : (1 - tail, tail, logDensity)
  }

  /// The continued fraction xᵃyᵇ / (B(a, b)·I_x(a, b)) of DiDonato and Morris (1992), equation 9,
  /// evaluated by the modified Lentz method.
  static func betaFraction(_ point: BetaPoint, _ a: Double, _ b: Double) -> Double {
    let (x, excess) = (point.x, point.excess(a, b))
    let tiny = 1e-300
    var fraction = max(a * (excess + 1) / (a + 1), tiny)
    var (c, d) = (fraction, 0.0)
    // A guard against parameters so large that rounding prevents convergence.
    for step in 1...10_000_000 {
      let m = Double(step)
      let s = a + 2 * m - 1
      let share = m * (b - m) * x / s
      let alpha = (a + m - 1) / s * (a + b + m - 1) * x * share
      let beta = m + share + (a + m) * (excess + 1 + m * (1 + point.y)) / (s + 2)
      d = beta + alpha * d
      c = beta + alpha / c
      if abs(d) < tiny { d = tiny }
      if abs(c) < tiny { c = tiny }
      d = 1 / d
      fraction *= c * d
      if abs(c * d - 1) <= 0x1p-53 { break }
    }
    return fraction
  }
}

/// A point of the unit interval with its complement, each known to full relative accuracy.
struct BetaPoint {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    (self.x, self.y) = (x, y)
  }

  /// The point with a given ln(x/y).
  init(logit: Double) {
    x = 1 / (1 + Double.exp(-logit))
    y = 1 / (1 + Double.exp(logit))
  }

  /// The same point measured from the other end.
  var mirrored: BetaPoint { BetaPoint(y, x) }

  /// a·y − b·x = a − (a + b)·x, the distance below the mean, with one rounding error (Kahan's
  /// difference of products).
  func excess(_ a: Double, _ b: Double) -> Double {
    let product = b * x
    return (-product).addingProduct(a, y) + product.addingProduct(-b, x)
  }

  /// Whether the continued fraction converges fast for the lower tail.
  func isLeftOfCenter(_ a: Double, _ b: Double) -> Bool {
    x <= (a + 1) / (a + b + 2)
  }
}
