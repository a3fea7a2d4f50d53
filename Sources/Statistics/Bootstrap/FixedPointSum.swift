/// A sum in multiples of 2⁻⁶⁴ in 128 bits: a compact ``ExactSum`` for values of moderate size.
///
/// Each value is rounded to a multiple once, on its own, so it counts the same wherever it is added; from there on all
/// is integer arithmetic, and the sum does not depend on any order. Values from 2⁻¹² up are already multiples; the
/// rounding error of smaller ones is at most 2⁻⁶⁵, 3e-20. The caller must keep the sum below 2⁶³; beyond it wraps
/// around.
@usableFromInline
package struct FixedPointSum: Sendable, Equatable {
  /// The sum over 2⁻⁶⁴.
  @usableFromInline package var steps = 0 as Int128

  /// Creates a sum of zero.
  @inlinable
  package init() {}

  /// Creates a sum of a number of steps.
  @inlinable
  package init(steps: Int128) { self.steps = steps }

  /// Returns the steps of a value; nil if it is not finite or not below 2⁶² in magnitude.
  @usableFromInline
  package static func steps(of value: Double) -> Int128? {
    guard abs(value) < 0x1p62 else { return nil }
    let steps = value * 0x1p64
    guard abs(steps) >= 0x1p52 else { return Int128(Int64(steps.rounded(.toNearestOrEven))) }
    // From there on a value is whole, and its bits say which.
    let significand = Int128(steps.significandBitPattern | 1 &<< 52)
    let magnitude = significand &<< (Int128(steps.exponentBitPattern) &- 1_075)
    return value < 0 ? 0 &- magnitude : magnitude
  }

  /// Returns the steps of a value truncated to 52 binary places, which takes a nanosecond where the nearest step takes
  /// ten; 0 for a value that has no steps.
  ///
  /// The truncation error is less than 2⁻⁵², 2e-16; values from 1 up are exact.
  @inlinable
  @inline(__always)
  package static func cutSteps(of value: Double) -> Int128 {
    guard abs(value) < 0x1p10 else { return steps(of: value) ?? 0 }
    return Int128(Int64(value * 0x1p52)) &<< 12
  }

  /// Adds steps.
  @inlinable
  @inline(__always)
  package mutating func add(_ steps: Int128) { self.steps &+= steps }

  /// Adds another sum.
  @inlinable
  package mutating func merge(_ other: FixedPointSum) { steps &+= other.steps }

  /// The sum, rounded to nearest.
  @inlinable package var value: Double {
    let magnitude = steps.magnitude
    let shift = max(0, 64 - magnitude.leadingZeroBitCount)
    // Bits below the highest 64 count for no more than that there are any; converting 128 bits at once is slow.
    let rest: UInt64 = magnitude & ((1 &<< shift) &- 1) == 0 ? 0 : 1
    let rounded = Double(UInt64(truncatingIfNeeded: magnitude &>> shift) | rest)
    let scaled = rounded * Double(sign: .plus, exponent: shift - 64, significand: 1)
    return steps < 0 ? -scaled : scaled
  }
}
