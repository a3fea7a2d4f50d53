/// The xoshiro256++ generator: fast, 256 bits of state, period 2²⁵⁶ − 1.
///
/// D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators" (ACM TOMS 47, 2021).
/// Not for cryptography. The same seed gives the same words on every platform.
public struct Xoshiro256: RandomNumberGenerator, Sendable, Equatable {
  @usableFromInline var s0: UInt64
  @usableFromInline var s1: UInt64
  @usableFromInline var s2: UInt64
  @usableFromInline var s3: UInt64

  /// Creates a generator from four words of state.
  ///
  /// - Precondition: not all four words are zero.
  public init(state s0: UInt64, _ s1: UInt64, _ s2: UInt64, _ s3: UInt64) {
    precondition(s0 | s1 | s2 | s3 != 0, "a state of zeros gives zeros for ever")
    (self.s0, self.s1, self.s2, self.s3) = (s0, s1, s2, s3)
  }

  /// Creates a generator whose state is the first four words of ``SplitMix64``, as the authors recommend. Four
  /// successive words are never all zero, so every seed is valid.
  public init(seed: UInt64) {
    var words = SplitMix64(seed: seed)
    self.init(state: words.next(), words.next(), words.next(), words.next())
  }

  /// Creates the generator of a named stream: two words of ``SplitMix64`` from each half of the
  /// key.
  public init(key: StreamKey) {
    var (first, second) = (SplitMix64(seed: key.first), SplitMix64(seed: key.second))
    self.init(state: first.next(), first.next(), second.next(), second.next())
  }

  /// Creates the generator of a stream that is named by numbers.
  ///
  /// - Complexity: O(number of labels).
  public init(seed: UInt64, stream: [UInt64]) {
    var key = StreamKey(seed: seed)
    for number in stream { key.add(number) }
    self.init(key: key)
  }

  /// Creates the generator of a stream that is named by texts and a number, such as
  /// `["bernoulli:means=0.1;0.2", "ucb1"]` and the number of the run.
  ///
  /// - Complexity: O(total length of the labels).
  public init(seed: UInt64, labels: [String], run: UInt64 = 0) {
    var key = StreamKey(seed: seed)
    for label in labels { key.add(label) }
    key.add(run)
    self.init(key: key)
  }

  /// Returns the next word.
  ///
  /// - Complexity: O(1), without allocation.
  @inlinable
  @inline(__always)
  public mutating func next() -> UInt64 {
    let result = Self.rotate(s0 &+ s3, by: 23) &+ s0
    let shifted = s1 &<< 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = Self.rotate(s3, by: 45)
    return result
  }

  @inlinable
  static func rotate(_ word: UInt64, by count: UInt64) -> UInt64 {
    word &<< count | word &>> (64 &- count)
  }
}
