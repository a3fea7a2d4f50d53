internal import CElementary

extension Double {
  /// The natural logarithm.
  ///
  /// The error is at most 0.6 ulp. −∞ for ±0, NaN for negative numbers.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static func log(_ x: Double) -> Double {
    let bits = x.bitPattern
    // From 15/16 to 17/16.
    if bits &- 0x3FEE_0000_0000_0000 < 0x3FF1_0000_0000_0000 - 0x3FEE_0000_0000_0000 {
      return logNearOne(x - 1)
    }
    // Positive, normal and finite, in one comparison.
    if bits &- 0x0010_0000_0000_0000 < 0x7FE0_0000_0000_0000 { return quickLog(bits) }
    if x == 0 { return -.infinity }
    guard x > 0 else { return .nan }
    return x == .infinity ? x : LogarithmReduction(x).rounded
  }

  /// ln(1 + r) for |r| ≤ 1/16.
  @inline(__always)
  private static func logNearOne(_ r: Double) -> Double {
    let square = r * r
    let fourth = square * square
    let first = r * 0x1.5555555555563p-2 - 0.5
    let second = -0x1.000000000000dp-2 + r * 0x1.9999999977715p-3
    let third = r * 0x1.249249e3c4feep-3 - 0x1.55555555359cfp-3
    let last = -0x1.99966ea241e58p-4 + r * 0x1.77c4b60f382adp-4 + square * -0x1.587ebdc1f67bdp-4
    let fifth = -0x1.000000b18e53bp-3 + r * 0x1.c719087ed5a6p-4
    return r
      + (square * first + fourth * ((second + square * third) + fourth * (fifth + square * last)))
  }

  /// The logarithm of a positive normal number that is not close to 1.
  ///
  /// Reducing by the middle of the interval that contains the significand takes one (exact) subtraction and one
  /// multiplication less than ``LogarithmReduction``: simulated policies take logarithms at every step.
  @inline(__always)
  private static func quickLog(_ bits: UInt64) -> Double {
    let offset = bits &- 0x3FE6_0000_0000_0000
    let row = bandolier_quick_logarithm_at(UInt(offset &>> 45))
    let k = Double(Int64(bitPattern: offset) &>> 52)
    let m = bits &- (offset & 0xFFF0_0000_0000_0000)
    let middle = Double(bitPattern: m & 0xFFFF_E000_0000_0000 | 0x1000_0000_0000)
    let r = (Double(bitPattern: m) - middle) * row.factor
    let sum = DoubleDouble(ordered: row.leading - k * -0x1.62e42fefa38p-1, r)
    let rest = sum.low + (k * 0x1.ef35793c7673p-45 + row.trailing)
    let square = r * r
    let start = r * 0x1.55555555279e5p-2 - 0.5
    let tail = -0x1.ffffffffafffbp-3 + r * 0x1.999b07519179fp-3 + square * -0x1.5556955655562p-3
    return sum.high + ((rest + square * start) + square * square * tail)
  }

  /// ln(1 + x), with full relative accuracy around 0.
  ///
  /// The error is at most 0.53 ulp. −∞ for −1, NaN below.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static func log(onePlus x: Double) -> Double {
    if abs(x) < 0x1p-8 {
      // Below 2⁻⁵⁴ the square is lost in rounding, and −0 is preserved.
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
