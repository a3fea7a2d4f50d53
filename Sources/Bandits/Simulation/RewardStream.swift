public import Statistics

/// A stream of words by their number, so that any of them can be had without those before it.
///
/// Word n is that of the `SplitMix64` counter started at the stream's key, n + 1 steps on: the reward of a variant at a
/// step is a function of the key, the step and the variant, whatever else was asked for.
public struct RewardStream: Sendable, Hashable {
  @usableFromInline let key: UInt64
  @usableFromInline let salt: UInt64

  /// The stream of a key.
  public init(_ key: StreamKey) { (self.key, salt) = (key.first, key.second) }

  /// A word by its number.
  @inlinable
  public func word(_ number: UInt64) -> UInt64 {
    var counter = SplitMix64(seed: key &+ number &* 0x9E37_79B9_7F4A_7C15)
    return counter.next()
  }

  /// As many words as a draw takes, by the number of the draw.
  @inlinable
  public func generator(_ number: UInt64) -> SplitMix64 {
    // Neighbouring numbers must not give the same words one step apart.
    SplitMix64(seed: word(number) ^ salt)
  }
}
