extension Double {
  /// e to the power `x`.
  ///
  /// The error is at most 0.52 ulp.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static func exp(_ x: Double) -> Double {
    let magnitude = x.bitPattern & 0x7FFF_FFFF_FFFF_FFFF
    // 2⁻⁵⁴ ≤ |x| < 690, in one comparison.
    if magnitude &- 0x3C90_0000_0000_0000 < 0x4085_9000_0000_0000 - 0x3C90_0000_0000_0000 {
      return ExponentialParts(exp: x).normal
    }
    return rareExp(x)
  }

  @inline(never)
  private static func rareExp(_ x: Double) -> Double {
    if abs(x) < 1 { return 1 + x }
    guard abs(x) < 750 else { return outside(x) }
    return ExponentialParts(exp: x).value
  }

  /// Returns the value of an exponential function far from 0.
  private static func outside(_ x: Double) -> Double {
    x.isNaN ? .nan : x > 0 ? .infinity : 0
  }

  /// eˣ − 1, with full relative accuracy around 0.
  ///
  /// The error is at most 0.65 ulp.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static func expMinusOne(_ x: Double) -> Double {
    if abs(x) < 0x1p-4 {
      if abs(x) < 0x1p-54 { return x }
      let square = x * x
      let fourth = square * square
      let tail =
        (0x1.a01a018f49e49p-13 + x * 0x1.a01a0194e49dbp-16)
        + square * (0x1.71e4f3f5f3169p-19 + x * 0x1.27e9773671bfp-22)
      let start =
        (0x1.5555555555555p-3 + x * 0x1.5555555555555p-5)
        + square * (0x1.11111111111e8p-7 + x * 0x1.6c16c16c16ca6p-10)
      return x + square * (0.5 + x * (start + fourth * tail))
    }
    // From 40 on, subtracting 1 is lost in rounding.
    if x >= 40 { return exp(x) }
    guard x > -40 else { return x.isNaN ? .nan : -1 }
    let parts = ExponentialParts(exp: x)
    let scaled = Double(bitPattern: parts.high.bitPattern &+ parts.exponentBits)
    let difference = DoubleDouble(sum: scaled, -1)
    return difference.high + (difference.low + scaled * parts.excess)
  }

  /// Two to the power `x`, exact for integers.
  ///
  /// The error is at most 0.52 ulp.
  @usableFromInline
  package static func exp2(_ x: Double) -> Double {
    guard abs(x) < 1100 else { return outside(x) }
    let shifted = x * 128 + ExponentialParts.shift
    let r = x - (shifted - ExponentialParts.shift) * 0x1p-7
    return ExponentialParts(shifted: shifted, r * 0x1.62e42fefa39efp-1).value
  }

  /// Ten to the power `x`, exact if the result is a Double.
  ///
  /// The error is at most 0.52 ulp.
  @usableFromInline
  package static func exp10(_ x: Double) -> Double {
    guard abs(x) < 330 else { return outside(x) }
    let shifted = x * 0x1.a934f0979a371p8 + ExponentialParts.shift
    let n = shifted - ExponentialParts.shift
    let r = (x - n * 0x1.3441350ap-9) - n * -0x1.0c0219dc1da99p-46
    return ExponentialParts(shifted: shifted, r * 0x1.26bb1bbb55516p1).value
  }
}
