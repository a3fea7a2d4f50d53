extension SpecialFunctions {
  /// ½·ln 2π.
  static var halfLogTwoPi: Double { 0.918938533204672741780329736406 }

  /// The error of Stirling's formula: ln Γ(x) − ((x − ½)·ln x − x + ½·ln 2π).
  ///
  /// Probabilities are products of Gamma functions whose leading parts cancel. Cancelling those analytically and
  /// keeping this small remainder avoids the loss of precision: C. Loader, "Fast and accurate computation of binomial
  /// probabilities" (2000). From 10 upwards the asymptotic series (Abramowitz and Stegun 6.1.41) is used, below it the
  /// recurrence δ(x) = δ(x + 1) + (x + ½)·ln(1 + 1/x) − 1.
  ///
  /// - Precondition: `x` is positive.
  /// - Complexity: O(1), up to ten logarithms.
  @usableFromInline
  package static func stirlingError(_ x: Double) -> Double {
    var (x, error) = (x, 0.0)
    while x < 10 {
      error += (x + 0.5) * Double.log(onePlus: 1 / x) - 1
      x += 1
    }
    return error + stirlingSeries(x)
  }

  /// The sum of B₂ₖ / (2k(2k − 1)x²ᵏ⁻¹) for k from 1 to 8; the next term is under 2e-18 at x = 10.
  private static func stirlingSeries(_ x: Double) -> Double {
    let s = 1 / x
    let t = s * s
    let tail = 1.0 / 1188 + t * (-691.0 / 360_360 + t * (1.0 / 156 + t * (-3617.0 / 122_400)))
    return s
      * (1.0 / 12 + t * (-1.0 / 360 + t * (1.0 / 1260 + t * (-1.0 / 1680 + t * tail))))
  }

  /// ln(1 + z) − z without cancellation, for |z| up to one half.
  ///
  /// With r = z/(2 + z) it is r·(2r²·(1/3 + r²/5 + r⁴/7 + …) − z), the series of 2·artanh r without its leading term.
  /// Successive terms decrease by a factor of at least 9.
  @usableFromInline
  package static func logOnePlusMinus(_ z: Double) -> Double {
    let r = z / (2 + z)
    let r2 = r * r
    var (sum, power, divisor) = (0.0, 1.0, 3.0)
    while sum + power / divisor != sum {
      sum += power / divisor
      power *= r2
      divisor += 2
    }
    return r * (2 * r2 * sum - z)
  }
}
