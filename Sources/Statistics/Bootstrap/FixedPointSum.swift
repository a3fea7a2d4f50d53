/// A sum in steps of 2⁻⁶⁴ in 128 bits: a small ``ExactSum`` for values of everyday size.
///
/// A value is rounded to a step once, by itself, so that it counts the same wherever it is added; from there on all is integer
/// arithmetic, and the sum does not depend on any order. Values from 2⁻¹² up are multiples of a step already; what is smaller is
/// off by at most 2⁻⁶⁵, 3e-20. The whole sum must stay below 2⁶³, which the one who adds has to see to: beyond it wraps.
@usableFromInline
package struct FixedPointSum: Sendable, Equatable {
  /// The sum over 2⁻⁶⁴.
  @usableFromInline package var steps = 0 as Int128

  /// Nothing.
  @inlinable
  package init() {}

  /// The sum of as many steps.
  @inlinable
  package init(steps: Int128) { self.steps = steps }

  /// The steps of a value; nil for one that is not finite or not below 2⁶² in magnitude.
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

  /// The steps of a value cut off after 52 binary places, which takes a nanosecond where the nearest step takes ten; 0 for one
  /// that has no steps.
  ///
  /// What is cut off is less than 2⁻⁵², 2e-16; values from 1 up lose nothing.
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
  @inlinable package var value: Double { Double(steps) * 0x1p-64 }
}
