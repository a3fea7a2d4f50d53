extension Double {
  /// The error function, 2/√π times the integral of exp(−t²) from 0 to `x`.
  ///
  /// The error is at most 0.85 ulp.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static func erf(_ x: Double) -> Double {
    let magnitude = abs(x)
    if magnitude < 0.5 { return x + x * errorExcess(x) }
    guard !x.isNaN else { return .nan }
    let value: Double
    if magnitude >= 6 {
      value = 1
    } else {
      let tail = ErrorTail(magnitude).number
      let leading = DoubleDouble(ordered: 1, -tail.high)
      value = leading.high + (leading.low - tail.low)
    }
    return x < 0 ? -value : value
  }

  /// The complementary error function, 1 − erf(`x`), with full relative accuracy down to the smallest Doubles.
  ///
  /// The error is at most 0.85 ulp.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static func erfc(_ x: Double) -> Double {
    if abs(x) < 0.5 {
      let leading = DoubleDouble(ordered: 1, -x)
      return leading.high + (leading.low - x * errorExcess(x))
    }
    guard !x.isNaN else { return .nan }
    if x < 0 {
      if x <= -6 { return 2 }
      let tail = ErrorTail(-x).number
      let leading = DoubleDouble(ordered: 2, -tail.high)
      return leading.high + (leading.low - tail.low)
    }
    return x < 27.5 ? ErrorTail(x).value : 0
  }

  /// erf(x)/x − 1 for |x| < 0.5.
  private static func errorExcess(_ x: Double) -> Double {
    polynomial(x * x, ErrorCoefficients.excess)
  }
}

/// erfc(x) = exp(−x²)·g(x), from a table of polynomials for g.
private struct ErrorTail {
  /// The product without its power of two.
  private let fraction: DoubleDouble
  private let exponentBits: UInt64

  /// - Precondition: `x` is in 0.5 ..< 28.
  init(_ x: Double) {
    // Sixteen rows for each binade; their middles have five bits.
    let row = Int(truncatingIfNeeded: x.bitPattern &>> 48) &- 0x3FE0
    let middle = Double(bitPattern: x.bitPattern & 0xFFFF_0000_0000_0000 | 0x0000_8000_0000_0000)
    let distance = x - middle
    let start = row * 11
    let slope = polynomial(distance, ErrorFunctionTable.rows, from: start + 2, count: 9)
    let factor = DoubleDouble(
      ordered: ErrorFunctionTable.rows[start],
      ErrorFunctionTable.rows[start + 1] + distance * slope)
    let half = DoubleDouble.leadingHalf(x)
    let power = ExponentialParts(exp: -half * half, (half - x) * (x + half))
    fraction = DoubleDouble(power.high, power.high * power.excess) * factor
    exponentBits = power.exponentBits
  }

  /// The function as a sum, for arguments up to 6.
  var number: DoubleDouble {
    let scale = ExponentialParts.powerOfTwo(Int64(bitPattern: exponentBits) &>> 52)
    return DoubleDouble(fraction.high * scale, fraction.low * scale)
  }

  /// The function, rounded once.
  var value: Double { ExponentialParts.scaled(fraction, exponentBits: exponentBits) }
}

private enum ErrorCoefficients {
  /// erf(x)/x − 1 for |x| ≤ 0.5, in powers of x².
  static let excess: InlineArray<10, Double> = [
    0x1.06eba8214db69p-3, -0x1.812746b0379e6p-2, 0x1.ce2f21a042b29p-4, -0x1.b82ce3127f739p-6,
    0x1.565bcd0aa6349p-8, -0x1.c02db23d41138p-11, 0x1.f9a2a6635fe79p-14, -0x1.f4bb9f7301dedp-17,
    0x1.b776442df3041p-20, -0x1.39fb524e9c1f7p-23,
  ]
}
