/// Draws from distributions, each from a generator that the caller passes.
///
/// The same generator state gives the same draw on every platform.
public enum Draw {
  /// Returns a uniform multiple of 2⁻⁵³ in [0, 1).
  ///
  /// - Complexity: O(1), one word.
  @inlinable
  public static func unit(using generator: inout some RandomNumberGenerator) -> Double {
    Double(generator.next() &>> 11) * 0x1p-53
  }

  /// Returns a uniform odd multiple of 2⁻⁵³ in (0, 1), whose logarithm is finite and not zero.
  ///
  /// - Complexity: O(1), one word.
  @inlinable
  public static func openUnit(using generator: inout some RandomNumberGenerator) -> Double {
    Double((generator.next() &>> 11) | 1) * 0x1p-53
  }

  /// Returns an unbiased uniform integer in `0 ..< bound`.
  ///
  /// D. Lemire, "Fast random integer generation in an interval" (ACM TOMACS 29, 2019): the high half of a product; the
  /// few low halves that would bias some results are redrawn.
  ///
  /// - Precondition: `bound` is positive.
  /// - Complexity: one word, rarely more; a division only in the rare case.
  @inlinable
  public static func integer(
    below bound: UInt64, using generator: inout some RandomNumberGenerator
  ) -> UInt64 {
    precondition(bound > 0, "there is no integer below zero to draw")
    var product = generator.next().multipliedFullWidth(by: bound)
    if product.low < bound {
      let threshold = (0 &- bound) % bound
      while product.low < threshold {
        product = generator.next().multipliedFullWidth(by: bound)
      }
    }
    return product.high
  }

  /// Returns an unbiased uniform index in `0 ..< count`.
  ///
  /// - Precondition: `count` is positive.
  /// - Complexity: as ``integer(below:using:)``.
  @inlinable
  public static func index(
    below count: Int, using generator: inout some RandomNumberGenerator
  ) -> Int {
    precondition(count > 0, "there is no index below zero to draw")
    return Int(integer(below: UInt64(count), using: &generator))
  }

  /// Returns true with a probability of `p`, to within 2⁻⁵³: never for 0, always for 1.
  ///
  /// - Precondition: `p` is in 0 ... 1.
  /// - Complexity: O(1), one word.
  @inlinable
  public static func bernoulli(
    _ p: Double, using generator: inout some RandomNumberGenerator
  ) -> Bool {
    precondition(p >= 0 && p <= 1, "a probability is in 0 ... 1")
    return unit(using: &generator) < p
  }
}
