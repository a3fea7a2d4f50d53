/// SipHash-2-4 with a 128-bit result: a keyed hash for which collisions cannot be found without knowing the key (J.-P.
/// Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", 2012, with the authors' later 128-bit form).
///
/// It absorbs whole 64-bit words, so the length of the hashed input is a multiple of eight bytes: each word in
/// little-endian order.
package struct SipHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  private var words: UInt64 = 0

  /// Creates a hash with a key of 128 bits.
  package init(key: FingerprintKey) {
    v0 = key.first ^ 0x736F_6D65_7073_6575
    v1 = key.second ^ 0x646F_7261_6E64_6F6D ^ 0xEE
    v2 = key.first ^ 0x6C79_6765_6E65_7261
    v3 = key.second ^ 0x7465_6462_7974_6573
  }

  /// Absorbs the next word.
  @inline(__always)
  package mutating func absorb(_ word: UInt64) {
    words &+= 1
    compress(word)
  }

  /// Returns the hash of the absorbed words and of `tailCount` further bytes, up to seven: the bytes of `tail`, lowest
  /// first.
  @inline(__always)
  package func finish(tail: UInt64 = 0, tailCount: UInt64 = 0) -> Fingerprint {
    var state = self
    state.compress(((words &* 8 &+ tailCount) << 56) | tail)
    state.v2 ^= 0xEE
    for _ in 0..<4 { state.round() }
    let first = state.v0 ^ state.v1 ^ state.v2 ^ state.v3
    state.v1 ^= 0xDD
    for _ in 0..<4 { state.round() }
    return Fingerprint(high: first, low: state.v0 ^ state.v1 ^ state.v2 ^ state.v3)
  }

  @inline(__always)
  private mutating func compress(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  @inline(__always)
  private mutating func round() {
    v0 = v0 &+ v1
    v1 = Self.rotate(v1, 13) ^ v0
    v0 = Self.rotate(v0, 32)
    v2 = v2 &+ v3
    v3 = Self.rotate(v3, 16) ^ v2
    v0 = v0 &+ v3
    v3 = Self.rotate(v3, 21) ^ v0
    v2 = v2 &+ v1
    v1 = Self.rotate(v1, 17) ^ v2
    v2 = Self.rotate(v2, 32)
  }

  @inline(__always)
  private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
    (word << count) | (word >> (64 &- count))
  }

  /// Returns the hash of some bytes.
  static func hash(_ bytes: ArraySlice<UInt8>, key: FingerprintKey) -> Fingerprint {
    hash(bytes.span, key: key)
  }

  /// Returns the hash of some bytes.
  ///
  /// - Complexity: O(n), without allocation.
  static func hash(_ bytes: Span<UInt8>, key: FingerprintKey) -> Fingerprint {
    var hash = SipHash(key: key)
    var next = 0
    while bytes.count &- next >= 8 {
      hash.absorb(bytes.word(at: next))
      next &+= 8
    }
    let tailCount = bytes.count &- next
    guard next > 0, tailCount > 0 else {
      let tail = (0..<tailCount).reduce(0 as UInt64) { $0 | UInt64(bytes[$1]) << UInt64(8 * $1) }
      return hash.finish(tail: tail, tailCount: UInt64(tailCount))
    }
    let tail = bytes.word(at: bytes.count &- 8) &>> UInt64(8 &* (8 &- tailCount))
    return hash.finish(tail: tail, tailCount: UInt64(tailCount))
  }
}
