extension Double {
  /// The sine of an angle in radians.
  ///
  /// The error is at most 0.85 ulp for angles of any size. NaN for infinity.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static func sin(_ x: Double) -> Double {
    guard x.isFinite else { return .nan }
    if abs(x) < 0x1p-27 { return x }
    let angle = ReducedAngle(x)
    let value = angle.quadrant & 1 == 0 ? sine(angle.rest) : cosine(angle.rest)
    return angle.quadrant & 2 == 0 ? value : -value
  }

  /// The cosine of an angle in radians.
  ///
  /// The error is at most 0.85 ulp for angles of any size. NaN for infinity.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static func cos(_ x: Double) -> Double {
    guard x.isFinite else { return .nan }
    let angle = ReducedAngle(x)
    let value = angle.quadrant & 1 == 0 ? cosine(angle.rest) : sine(angle.rest)
    return angle.quadrant == 1 || angle.quadrant == 2 ? -value : value
  }

  /// The sine of an angle of at most π/4 in magnitude.
  private static func sine(_ x: DoubleDouble) -> Double {
    let square = x.high * x.high
    let cubic = polynomial(square, CircularCoefficients.sine)
    return x.high + (x.high * square * cubic + x.low * (1 - 0.5 * square))
  }

  /// The cosine of an angle of at most π/4 in magnitude.
  private static func cosine(_ x: DoubleDouble) -> Double {
    let square = DoubleDouble(square: x.high)
    let leading = DoubleDouble(ordered: 1, -0.5 * square.high)
    let quartic =
      square.high * square.high * polynomial(square.high, CircularCoefficients.cosine)
    return leading.high + (leading.low + (quartic - (x.high * x.low + 0.5 * square.low)))
  }
}

/// Coefficients for |x| ≤ π/4, in powers of x².
private enum CircularCoefficients {
  /// (sin x − x)/x³.
  static let sine: InlineArray<7, Double> = [
    -0x1.5555555555555p-3, 0x1.111111111111p-7, -0x1.a01a01a019938p-13, 0x1.71de3a5460957p-19,
    -0x1.ae645412c4ecap-26, 0x1.61217f0b24037p-33, -0x1.ab17d3ce9d15bp-41,
  ]

  /// (cos x − 1 + x²/2)/x⁴.
  static let cosine: InlineArray<7, Double> = [
    0x1.5555555555555p-5, -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d0ap-16, -0x1.27e4fb7712d63p-22,
    0x1.1eed8deb9775dp-29, -0x1.9394ba0c850d7p-37, 0x1.ab785ad070e68p-45,
  ]
}
