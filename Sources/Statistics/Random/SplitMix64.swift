/// The SplitMix64 generator, used to seed larger generators from one word.
///
/// G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators" (OOPSLA
/// 2014), with the mixing function of the reference implementation by S. Vigna. Any state is a good
/// state; the period is 2⁶⁴.
public struct SplitMix64: RandomNumberGenerator, Sendable, Equatable {
  /// The counter from which the next word is mixed.
  @usableFromInline var state: UInt64

  /// Creates a generator whose counter starts at `seed`.
  public init(seed: UInt64) {
    state = seed
  }

  /// Returns the next word.
  ///
  /// - Complexity: O(1).
  @inlinable
  public mutating func next() -> UInt64 {
    state &+= Self.increment
    return Self.mix(state)
  }

  /// 2⁶⁴ divided by the golden ratio, made odd.
  @usableFromInline static var increment: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  /// A bijection of 64-bit words in which every bit of the result depends on every bit of the
  /// argument.
  @inlinable
  static func mix(_ word: UInt64) -> UInt64 {
    var z = word
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }
}
