/// The numbers from which an index is estimated, of one variant or of two.
public struct IndexTerms<Number: Sendable>: Sendable {
  /// The term that is added, infinite if it is alone.
  public var a: Number
  /// A factor.
  public var b: Number
  /// Another number.
  public var c: Number

  /// Creates the numbers.
  @inline(__always)
  public init(a: Number, b: Number, c: Number) {
    self.a = a
    self.b = b
    self.c = c
  }
}

extension IndexTerms<SIMD2<Double>> {
  /// Replaces the numbers of some variants.
  @inline(__always)
  mutating func replace(with other: Self, where mask: SIMDMask<SIMD2<Int64>>) {
    a.replace(with: other.a, where: mask)
    b.replace(with: other.b, where: mask)
    c.replace(with: other.c, where: mask)
  }
}

extension IndexTerms<Double> {
  /// An infinite estimate.
  public static var unknown: IndexTerms { certain(.infinity) }

  /// An estimate that is infinite, or one that is minus infinity or NaN and never the largest.
  @inline(__always)
  static func certain(_ a: Double) -> IndexTerms { IndexTerms(a: a, b: 1, c: min(0, a)) }

  /// The line through a point, with a margin for the rounding of the index.
  @inline(__always)
  static func line(through y: Double, at x: Double, slope: Double, margin: Double) -> IndexTerms {
    let a = y - slope * x + margin + 0x1p-48 * (abs(y) + abs(slope * x))
    return a < .infinity && slope < .infinity ? IndexTerms(a: a, b: slope, c: 0) : .unknown
  }
}
