/// The unevaluated sum of two Doubles, for intermediate results that need more than 53 bits.
///
/// The building blocks of T. J. Dekker, "A floating-point technique for extending the available precision" (Numerische
/// Mathematik 18, 1971) and D. E. Knuth, using additions and multiplications alone: a fused multiply-add would be a
/// slow function call on processors without the instruction.
struct DoubleDouble {
  /// The leading part.
  var high: Double
  /// The error of the leading part.
  var low: Double

  @inline(__always)
  init(_ high: Double, _ low: Double) {
    (self.high, self.low) = (high, low)
  }

  /// The exact sum of two numbers, the first of which is zero or not smaller in magnitude.
  @inline(__always)
  init(ordered a: Double, _ b: Double) {
    high = a + b
    low = (a - high) + b
  }

  /// The exact sum of any two numbers whose sum is finite.
  @inline(__always)
  init(sum a: Double, _ b: Double) {
    high = a + b
    let other = high - a
    low = (a - (high - other)) + (b - other)
  }

  /// The product of two numbers, with a relative error of at most 2⁻¹⁰⁵ unless parts of it underflow.
  @inline(__always)
  init(product a: Double, _ b: Double) {
    high = a * b
    let (aHigh, bHigh) = (Self.leadingHalf(a), Self.leadingHalf(b))
    let (aLow, bLow) = (a - aHigh, b - bHigh)
    low = ((aHigh * bHigh - high) + aHigh * bLow + aLow * bHigh) + aLow * bLow
  }

  /// The square of a number, with a relative error of at most 2⁻¹⁰⁵ unless parts of it underflow.
  @inline(__always)
  init(square a: Double) {
    let half = Self.leadingHalf(a)
    self.init(ordered: half * half, (a - half) * (a + half))
  }

  /// Returns the number truncated to its first 26 significant bits; products of two such are exact.
  @inline(__always)
  static func leadingHalf(_ x: Double) -> Double {
    Double(bitPattern: x.bitPattern & 0xFFFF_FFFF_F800_0000)
  }

  /// The product with another sum, to about 2⁻¹⁰⁰.
  @inline(__always)
  static func * (a: Self, b: Self) -> Self {
    let product = DoubleDouble(product: a.high, b.high)
    return Self(ordered: product.high, product.low + (a.high * b.low + a.low * b.high))
  }

  /// The product with a number, to about 2⁻¹⁰⁰.
  @inline(__always)
  static func * (a: Self, b: Double) -> Self {
    let product = DoubleDouble(product: a.high, b)
    return Self(ordered: product.high, product.low + a.low * b)
  }

  /// The sum with another one. Its error is small next to the larger of the two.
  @inline(__always)
  static func + (a: Self, b: Self) -> Self {
    let sum = DoubleDouble(sum: a.high, b.high)
    return Self(ordered: sum.high, sum.low + (a.low + b.low))
  }

  static prefix func - (a: Self) -> Self { Self(-a.high, -a.low) }

  /// The nearest Double.
  @inline(__always)
  var value: Double { high + low }
}

/// Returns the value of a polynomial, given its coefficients, constant first.
@inline(__always)
func polynomial<let count: Int>(
  _ x: Double, _ coefficients: borrowing InlineArray<count, Double>
) -> Double {
  var sum = coefficients[count - 1]
  for index in 1..<count { sum = sum * x + coefficients[count - 1 - index] }
  return sum
}

/// Returns the value of a polynomial whose coefficients are in a table from an index on, constant first.
///
/// The table is an array, as one that is stored inline is copied for each use of a row in another file.
@inline(__always)
func polynomial(_ x: Double, _ table: [Double], from start: Int, count: Int) -> Double {
  var sum = table[start + count - 1]
  for index in 1..<count { sum = sum * x + table[start + count - 1 - index] }
  return sum
}
