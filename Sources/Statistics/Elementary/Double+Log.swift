extension Double {
  /// The natural logarithm.
  ///
  /// The error is at most 0.52 ulp. −∞ for ±0, NaN for negative numbers.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static func log(_ x: Double) -> Double {
    // Positive, normal and finite, tested at once.
    if x.bitPattern &- 0x0010_0000_0000_0000 < 0x7FE0_0000_0000_0000 {
      return LogarithmReduction(bits: x.bitPattern).rounded
    }
    if x == 0 { return -.infinity }
    guard x > 0 else { return .nan }
    return x == .infinity ? x : LogarithmReduction(x).rounded
  }

  /// ln(1 + x), with full relative accuracy around 0.
  ///
  /// The error is at most 0.53 ulp. −∞ for −1, NaN below.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static func log(onePlus x: Double) -> Double {
    if abs(x) < 0x1p-8 {
      // Below 2⁻⁵⁴ the square is lost in rounding, and −0 stays.
      return abs(x) < 0x1p-54 ? x : x + LogarithmReduction.curvature(x, 0)
    }
    guard x > -1 else { return x == -1 ? -.infinity : .nan }
    if x == .infinity { return x }
    let sum = DoubleDouble(sum: 1, x)
    return LogarithmReduction(bits: sum.high.bitPattern).rounded(correction: sum.low / sum.high)
  }

  /// The logarithm to base 2, exact for powers of two.
  ///
  /// The error is at most 0.51 ulp. −∞ for ±0, NaN for negative numbers.
  @usableFromInline
  package static func log2(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return log(x) }
    let inverse = DoubleDouble(0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56)
    return (LogarithmReduction(x).precise * inverse).value
  }

  /// The logarithm to base 10, exact for powers of ten that are Doubles.
  ///
  /// The error is at most 0.51 ulp. −∞ for ±0, NaN for negative numbers.
  @usableFromInline
  package static func log10(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return log(x) }
    let inverse = DoubleDouble(0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57)
    return (LogarithmReduction(x).precise * inverse).value
  }
}
