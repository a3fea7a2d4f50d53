public import Statistics

/// A random-access stream of random words.
///
/// Word n is the output of a `SplitMix64` counter started at the stream's key and advanced n + 1 steps, so the reward
/// of a variant at a step is a function of the key, the step and the variant alone.
public struct RewardStream: Sendable, Hashable {
  @usableFromInline let key: UInt64
  @usableFromInline let salt: UInt64

  /// Creates the stream of a key.
  public init(_ key: StreamKey) { (self.key, salt) = (key.first, key.second) }

  /// Returns the word with the given number.
  @inlinable
  public func word(_ number: UInt64) -> UInt64 {
    var counter = SplitMix64(seed: key &+ number &* 0x9E37_79B9_7F4A_7C15)
    return counter.next()
  }

  /// Returns a generator for the draw with the given number.
  @inlinable
  public func generator(_ number: UInt64) -> SplitMix64 {
    // Mixed so that neighboring numbers do not give the same words one step apart.
    SplitMix64(seed: word(number) ^ salt)
  }
}
