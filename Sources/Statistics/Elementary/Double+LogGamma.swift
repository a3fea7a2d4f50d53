extension Double {
  /// The logarithm of the Gamma function of a positive number.
  ///
  /// The error is at most 0.6 ulp, also next to the zeros at 1 and 2. ∞ for 0, NaN for negative numbers.
  ///
  /// - Complexity: O(1), one logarithm and a polynomial.
  @usableFromInline
  package static func logGamma(_ x: Double) -> Double {
    guard x > 0 else { return x == 0 ? .infinity : .nan }
    // From here on the result is larger than any Double.
    if x > 0x1.754d9278b51a7p1014 { return .infinity }
    if x >= 10 { return largeLogGamma(x).value }
    if x < 1 { return (logGammaOnePlus(x) + -LogarithmReduction(x).precise).value }
    if x <= 2 { return logGammaOnePlus(x - 1).value }
    // Γ(x) = (x − 1)·(x − 2)·…·Γ(1 + f) with f the fraction of x; all differences are exact.
    let whole = x.rounded(.down)
    var product = DoubleDouble(x - 1, 0)
    var factor = x - 2
    while factor >= 1 {
      product = product * factor
      factor -= 1
    }
    return (logGammaOnePlus(x - whole) + preciseLog(product)).value
  }

  /// ln Γ(1 + f) for f in 0 ... 1: f·(f − 1) times a positive polynomial.
  private static func logGammaOnePlus(_ f: Double) -> DoubleDouble {
    let row = min(7, Int(f * 8))
    let distance = f - (Double(row) + 0.5) * 0.125
    let start = row * 13
    let slope = polynomial(distance, LogGammaTable.rows, from: start + 2, count: 11)
    let factor = DoubleDouble(
      ordered: LogGammaTable.rows[start], LogGammaTable.rows[start + 1] + distance * slope)
    return (DoubleDouble(sum: f, -1) * f) * factor
  }

  /// The logarithm of an unevaluated sum.
  private static func preciseLog(_ x: DoubleDouble) -> DoubleDouble {
    let logarithm = LogarithmReduction(x.high).precise
    return DoubleDouble(ordered: logarithm.high, logarithm.low + x.low / x.high)
  }

  /// Stirling's formula: (x − ½)·ln x − x + ½·ln 2π and the correction.
  private static func largeLogGamma(_ x: Double) -> DoubleDouble {
    let logarithm = LogarithmReduction(x).precise
    let leading = (logarithm + DoubleDouble(-1, 0)) * x
    let half = DoubleDouble(-0.5 * logarithm.high, -0.5 * logarithm.low)
    let constant = DoubleDouble(0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55)
    let rest = DoubleDouble(sum: constant.high, SpecialFunctions.stirlingError(x))
    return leading + (half + DoubleDouble(rest.high, rest.low + constant.low))
  }
}
