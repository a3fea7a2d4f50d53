extension Double {
  /// `x` to the power `y`.
  ///
  /// exp(y·ln x) with the logarithm and the product in two parts. The error is at most 0.53 ulp. Special cases follow
  /// C99, Annex F.9.4.4: 1 for y = 0 and for x = 1 whatever the other is, NaN for a negative x unless y is an integer.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static func pow(_ x: Double, _ y: Double) -> Double {
    if y == 0 || x == 1 { return 1 }
    if x.isNaN || y.isNaN { return .nan }
    if y.isInfinite { return abs(x) == 1 ? 1 : (abs(x) > 1) == (y > 0) ? .infinity : 0 }
    let isOdd = x.sign == .minus && isOddInteger(y)
    let sign = isOdd ? -1.0 : 1
    if x == 0 || x.isInfinite { return sign * ((x == 0) == (y < 0) ? .infinity : 0) }
    if x < 0, y != y.rounded(.towardZero) { return .nan }
    let logarithm = LogarithmReduction(abs(x)).precise
    let rough = y * logarithm.high
    guard abs(rough) < 750 else { return sign * (rough > 0 ? .infinity : 0) }
    if abs(rough) < 0x1p-55 { return sign }
    let product = DoubleDouble(product: y, logarithm.high)
    let rest = product.low + y * logarithm.low
    if abs(rough) < 690 { return sign * ExponentialParts(exp: product.high, rest).normal }
    return sign * ExponentialParts(exp: product.high, rest).value
  }

  /// Returns whether a finite number is an odd integer.
  private static func isOddInteger(_ y: Double) -> Bool {
    let magnitude = abs(y)
    if magnitude < 1 || magnitude >= 0x1p53 { return false }
    let whole = UInt64(magnitude)
    return Double(whole) == magnitude && whole & 1 == 1
  }
}
