extension Double {
  /// The angle in −π/2 ... π/2 whose sine is `x`.
  ///
  /// The error is at most 0.7 ulp. NaN outside −1 ... 1.
  ///
  /// - Complexity: O(1), one root and one division at most.
  @usableFromInline
  package static func asin(_ x: Double) -> Double {
    guard abs(x) <= 1 else { return .nan }
    if abs(x) <= 0.5 { return abs(x) < 0x1p-27 ? x : x + x * arcExcess(x * x) }
    let half = halfArcCosine(abs(x))
    let leading = DoubleDouble(ordered: 0x1.921fb54442d18p0, -2 * half.high)
    let value = leading.high + (leading.low + (0x1.1a62633145c07p-54 - 2 * half.low))
    return x < 0 ? -value : value
  }

  /// The angle in 0 ... π whose cosine is `x`.
  ///
  /// The error is at most 0.7 ulp. NaN outside −1 ... 1.
  ///
  /// - Complexity: O(1), one root and one division at most.
  @usableFromInline
  package static func acos(_ x: Double) -> Double {
    guard abs(x) <= 1 else { return .nan }
    if abs(x) <= 0.5 {
      let leading = DoubleDouble(ordered: 0x1.921fb54442d18p0, -x)
      return leading.high + (leading.low + (0x1.1a62633145c07p-54 - x * arcExcess(x * x)))
    }
    let half = halfArcCosine(abs(x))
    if x > 0 { return 2 * half.value }
    let leading = DoubleDouble(ordered: 0x1.921fb54442d18p1, -2 * half.high)
    return leading.high + (leading.low + (0x1.1a62633145c07p-53 - 2 * half.low))
  }

  /// arccos(x)/2 = arcsin √((1 − x)/2) for x from one half to 1.
  private static func halfArcCosine(_ x: Double) -> DoubleDouble {
    let square = 0.5 * (1 - x)
    if square == 0 { return DoubleDouble(0, 0) }
    let root = square.squareRoot()
    let product = DoubleDouble(square: root)
    let correction = ((square - product.high) - product.low) / (2 * root)
    return DoubleDouble(root, correction + root * arcExcess(square))
  }

  /// arcsin(x)/x − 1 as a function of x² ≤ 0.25.
  private static func arcExcess(_ square: Double) -> Double {
    square * polynomial(square, ArcCoefficients.sine)
  }

  /// The inverse hyperbolic sine, ln(x + √(x² + 1)).
  ///
  /// The error is at most 0.55 ulp.
  ///
  /// - Complexity: O(1), one root and two divisions at most.
  @usableFromInline
  package static func asinh(_ x: Double) -> Double {
    let magnitude = abs(x)
    if magnitude < 0x1p-3 {
      if magnitude < 0x1p-27 { return x }
      let square = x * x
      return x + x * square * polynomial(square, ArcCoefficients.hyperbolicSine)
    }
    guard x.isFinite else { return x.isNaN ? .nan : x }
    let value = magnitude < 0x1p28 ? middleAsinh(magnitude) : twiceLog(magnitude)
    return x < 0 ? -value : value
  }

  /// ln 2x, for an x so large that the root of x² + 1 is x.
  private static func twiceLog(_ x: Double) -> Double {
    LogarithmReduction(bits: x.bitPattern, exponent: 1).rounded
  }

  private static func middleAsinh(_ x: Double) -> Double {
    let radicand = DoubleDouble(square: x) + DoubleDouble(1, 0)
    let root = radicand.high.squareRoot()
    let product = DoubleDouble(square: root)
    let correction = ((radicand.high - product.high) + (radicand.low - product.low)) / (2 * root)
    let sum = DoubleDouble(ordered: root, x)
    let rest = (sum.low + correction) / sum.high
    return LogarithmReduction(bits: sum.high.bitPattern).rounded(correction: rest)
  }
}

/// Coefficients in powers of x².
private enum ArcCoefficients {
  /// (arcsin x − x)/x³ for |x| ≤ 0.5.
  static let sine: InlineArray<13, Double> = [
    0x1.5555555555556p-3, 0x1.3333333332ecap-4, 0x1.6db6db6e31f13p-5, 0x1.f1c71c1db0623p-6,
    0x1.6e8bb1c8209a2p-6, 0x1.1c4d35cf95421p-6, 0x1.c9cf07674736ap-7, 0x1.782651caa6547p-7,
    0x1.52420b04b37bep-7, 0x1.65a9c4dfcf8b2p-8, 0x1.1d189408314eep-6, -0x1.e6aaa8a0a04ccp-7,
    0x1.d72b2bc8155f8p-6,
  ]

  /// (arsinh x − x)/x³ for |x| ≤ 1/8.
  static let hyperbolicSine: InlineArray<8, Double> = [
    -0x1.5555555555555p-3, 0x1.3333333333333p-4, -0x1.6db6db6db677ep-5, 0x1.f1c71c7038753p-6,
    -0x1.6e8ba16082e0fp-6, 0x1.1c4df3237a684p-6, -0x1.c91d019a730f7p-7, 0x1.6728de975915p-7,
  ]
}
