/// A keyed hash of 64-bit words.
protocol WordHash {
  init(key: FingerprintKey)

  /// Absorbs the next word.
  mutating func absorb(_ word: UInt64)

  /// Returns the hash of the absorbed words.
  func result() -> Fingerprint
}

extension SipHash: WordHash {
  func result() -> Fingerprint { finish() }
}

/// A hash that folds each word by a product of 128 bits, as in wyhash (https://github.com/wangyi-fudan/wyhash): fast,
/// and unpredictable to whoever does not know the key.
struct FoldedHash: WordHash {
  private var state: UInt64
  private let factor: UInt64
  private var count: UInt64 = 0

  init(key: FingerprintKey) {
    state = key.first
    // A factor whose bits are mixed also if those of the key are not.
    factor = (key.second ^ 0xD6E8_FEB8_6659_FD93) &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  @inline(__always)
  mutating func absorb(_ word: UInt64) {
    count &+= 1
    state = fold(state ^ word ^ count)
  }

  func result() -> Fingerprint {
    let high = fold(state ^ count &* 0x9E37_79B9_7F4A_7C15)
    return Fingerprint(high: high, low: fold(high ^ factor))
  }

  @inline(__always)
  private func fold(_ word: UInt64) -> UInt64 {
    let product = (word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: factor)
    return product.high ^ product.low &+ word
  }
}
