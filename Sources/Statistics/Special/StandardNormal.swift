/// The normal distribution with mean 0 and variance 1.
public enum StandardNormal {
  /// Returns the probability density at `x`.
  public static func density(_ x: Double) -> Double {
    Double.exp(-0.5 * x * x) * 0.398942280401432677939946059934
  }

  /// Returns the probability of a value of at most `x`.
  ///
  /// The lower tail retains its relative accuracy down to the smallest Doubles: the rounding error of x/√2 is
  /// propagated through erfc to first order. The relative error is at most 5e-16 where measured, for x from −37.5 to 8.
  public static func cdf(_ x: Double) -> Double {
    let rootHalf = 0.707106781186547524400844362105
    // √½ less the Double above.
    let rootHalfError = -4.8336466567264565e-17
    let z = -x * rootHalf
    let error = (-z).addingProduct(-x, rootHalf) - x * rootHalfError
    let tail = Double.erfc(z)
    guard z.isFinite, tail > 0 else { return 0.5 * tail }
    return 0.5 * (tail - 1.12837916709551257389615890312 * Double.exp(-z * z) * error)
  }

  /// Returns the probability of a value above `x`, with full relative accuracy if it is small.
  public static func upperTail(_ x: Double) -> Double { cdf(-x) }

  /// Returns the value that is exceeded with probability 1 − `p`.
  ///
  /// M. J. Wichura's rational approximations ("Algorithm AS 241", Applied Statistics 37, 1988, PPND16), followed by one
  /// step of Halley's method. Minus infinity for `p` = 0, infinity for 1. The relative error is at most 5e-16 where
  /// measured, for p from 1e-300 up.
  ///
  /// - Precondition: `p` is in 0 ... 1.
  public static func quantile(_ p: Double) -> Double {
    precondition(p >= 0 && p <= 1, "a probability is in 0 ... 1")
    // 1 − p is exact from one half upwards.
    if p > 0.5 { return -lowerQuantile(1 - p) }
    return lowerQuantile(p)
  }

  private static func lowerQuantile(_ p: Double) -> Double {
    if p == 0 { return -.infinity }
    let q = p - 0.5
    if abs(q) <= 0.425 { return centralQuantile(q) }
    let root = (-Double.log(p)).squareRoot()
    let x = root <= 5 ? -Wichura.middle(root - 1.6) : -Wichura.far(root - 5)
    // Below this the density has lost precision, and the approximation is not refined.
    return p < 1e-290 ? x : refined(x, excess: cdf(x) - p)
  }

  private static func centralQuantile(_ q: Double) -> Double {
    let x = q * Wichura.central(0.180625 - q * q)
    return refined(x, excess: 0.5 * Double.erf(x * 0.707106781186547524400844362105) - q)
  }

  /// One Halley step: for the normal density f, f'/f is −x.
  private static func refined(_ x: Double, excess: Double) -> Double {
    let step = excess / density(x)
    return x - step / (1 + 0.5 * x * step)
  }
}

/// The rational approximations of AS 241.
private enum Wichura {
  static func central(_ r: Double) -> Double {
    horner(
      r,
      [
        2509.0809287301226727, 33430.575583588128105, 67265.770927008700853,
        45921.953931549871457, 13731.693765509461125, 1971.5909503065514427,
        133.14166789178437745, 3.387132872796366608,
      ])
      / horner(
        r,
        [
          5226.495278852854561, 28729.085735721942674, 39307.89580009271061,
          21213.794301586595867, 5394.1960214247511077, 687.1870074920579083,
          42.313330701600911252, 1,
        ])
  }

  static func middle(_ r: Double) -> Double {
    horner(
      r,
      [
        7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
        1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055,
        4.6303378461565452959, 1.42343711074968357734,
      ])
      / horner(
        r,
        [
          1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
          0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494,
          2.05319162663775882187, 1,
        ])
  }

  static func far(_ r: Double) -> Double {
    horner(
      r,
      [
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
        0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358,
        5.4637849111641143699, 6.6579046435011037772,
      ])
      / horner(
        r,
        [
          2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
          7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
          0.59983220655588793769, 1,
        ])
  }

  /// A polynomial with the coefficient of the highest power first.
  private static func horner(_ x: Double, _ coefficients: InlineArray<8, Double>) -> Double {
    var sum = 0.0
    for index in coefficients.indices { sum = sum * x + coefficients[index] }
    return sum
  }
}
