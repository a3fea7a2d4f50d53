/// xᵃ·yᵇ / B(a, b) at points of the unit interval, which is also the density of a Beta(a, b) variable in ln(x/y). What
/// depends on the parameters only is computed once for all points.
///
/// Written around the mean its logarithm is a sum of small parts: with λ = a·y − b·x, the exponent is
/// a·(ln(1 − λ/a) + λ/a) + b·(ln(1 + λ/b) − λ/b), the binomial deviance of C. Loader, "Fast and accurate computation of
/// binomial probabilities" (2000).
struct BetaKernel {
  private let a: Double
  private let b: Double
  /// The errors of Stirling's formula for a + b, a and b.
  private let errors: (n: Double, a: Double, b: Double)
  private let halfLog: Double

  init(_ a: Double, _ b: Double) {
    let errors = (
      n: SpecialFunctions.stirlingError(a + b), a: SpecialFunctions.stirlingError(a),
      b: SpecialFunctions.stirlingError(b)
    )
    self.init(a, b, errors)
  }

  private init(_ a: Double, _ b: Double, _ errors: (n: Double, a: Double, b: Double)) {
    (self.a, self.b, self.errors) = (a, b, errors)
    halfLog = 0.5 * Double.log(a / (a + b) * b)
  }

  /// The kernel of the points measured from the other end.
  var mirrored: BetaKernel { BetaKernel(b, a, (errors.n, errors.b, errors.a)) }

  /// Returns the logarithm of the density at a point.
  func logDensity(_ point: BetaPoint) -> Double {
    let n = a + b
    let lambda = point.excess(a, b)
    let exponent =
      a * Self.deviance(-lambda / a, ratio: n * point.x / a)
      + b * Self.deviance(lambda / b, ratio: n * point.y / b)
    return exponent + (errors.n - errors.a - errors.b) + halfLog - SpecialFunctions.halfLogTwoPi
  }

  /// Returns ln I_x(a, b) at a point left of the center, where the continued fraction converges.
  func logTail(_ point: BetaPoint) -> Double { logTail(point, logDensity: logDensity(point)) }

  /// Returns ln I_x(a, b) at a point left of the center, from the logarithm of the density there.
  func logTail(_ point: BetaPoint, logDensity: Double) -> Double {
    logDensity - Double.log(SpecialFunctions.betaFraction(point, a, b))
  }

  /// ln(1 + z) − z, where `ratio` is 1 + z known with better relative accuracy.
  private static func deviance(_ z: Double, ratio: Double) -> Double {
    abs(z) < 0.5 ? SpecialFunctions.logOnePlusMinus(z) : Double.log(ratio) - z
  }
}
