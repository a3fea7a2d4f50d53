internal import CSquareRoot

/// Square roots that vectorize: those of Swift set errno.
enum SquareRoot {
  /// Returns the square root of a number.
  @inline(__always)
  static func of(_ x: Double) -> Double { bandolier_square_root(x) }

  /// Returns the square roots of two numbers.
  @inline(__always)
  static func of(_ x: SIMD2<Double>) -> SIMD2<Double> { bandolier_square_roots(x) }
}
