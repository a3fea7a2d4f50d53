/// A sum in steps of 2⁻⁶⁴ in 128 bits: a small ``ExactSum`` for values of everyday size.
///
/// A value is rounded to a step once, by itself, so that it counts the same wherever it is added; from there on all is integer
/// arithmetic, and the sum does not depend on any order. Values from 2⁻¹² up are multiples of a step already; what is smaller is
/// off by at most 2⁻⁶⁵, 3e-20. The whole sum must stay below 2⁶³, which the one who adds has to see to: beyond it wraps.
struct FixedPointSum: Sendable, Equatable {
  /// The sum over 2⁻⁶⁴.
  private(set) var steps = 0 as Int128

  /// The steps of a value; nil for one that is not finite or not below 2⁶² in magnitude.
  static func steps(of value: Double) -> Int128? {
    guard abs(value) < 0x1p62 else { return nil }
    return Int128((value * 0x1p64).rounded(.toNearestOrEven))
  }

  /// Adds steps.
  @inline(__always)
  mutating func add(_ steps: Int128) { self.steps &+= steps }

  /// Adds another sum.
  mutating func merge(_ other: FixedPointSum) { steps &+= other.steps }

  /// The sum, rounded to nearest.
  var value: Double { Double(steps) * 0x1p-64 }
}
