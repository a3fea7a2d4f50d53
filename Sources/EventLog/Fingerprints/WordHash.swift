/// A keyed hash of 64-bit words and of texts.
protocol WordHash {
  init(key: FingerprintKey)

  /// Absorbs the next word.
  mutating func absorb(_ word: UInt64)

  /// Returns the hash of the absorbed words.
  func result() -> Fingerprint
}

extension WordHash {
  /// Absorbs a text. Up to 7 bytes are one word, with the length in its top byte and the bytes below, the first lowest.
  /// More are a word with 255 in its top byte and the length below, then the bytes in little-endian words, the last
  /// padded with zeros.
  @inline(__always)
  mutating func absorb(_ text: Span<UInt8>) {
    let count = text.count
    guard count > 7 else { return absorb(UInt64(count) &<< 56 | text.shortWord) }
    absorb(255 &<< 56 | UInt64(count))
    var next = 0
    while count &- next >= 8 {
      absorb(text.word(at: next))
      next &+= 8
    }
    if next < count {
      absorb(text.word(at: count &- 8) &>> UInt64(truncatingIfNeeded: 8 &* (8 &- count &+ next)))
    }
  }
}

/// A hash that folds each word by a product of 128 bits, as in wyhash (https://github.com/wangyi-fudan/wyhash): fast,
/// and unpredictable to whoever does not know the key.
///
/// It has two lanes with factors of their own, one for each half of the result: two inputs have the same half with a
/// probability near 2^-64, whatever the other half.
struct FoldedHash: WordHash {
  private var first: FoldedLane
  private var second: FoldedLane

  init(key: FingerprintKey) {
    first = FoldedLane(key: key)
    second = FoldedLane(
      key: FingerprintKey(first: ~key.second, second: key.first &+ 0x9FB2_1C65_1E98_DF25))
  }

  @inline(__always)
  mutating func absorb(_ word: UInt64) {
    first.absorb(word)
    second.absorb(word)
  }

  func result() -> Fingerprint { Fingerprint(high: first.end, low: second.end) }
}

/// One lane of the hash, for content that is only compared with what has the same identity.
struct FoldedLane: WordHash {
  private var state: UInt64
  private let factor: UInt64
  private var count: UInt64 = 0

  @inline(__always)
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

  /// The hash of the absorbed words.
  @inline(__always)
  var end: UInt64 { fold(state ^ count &* 0x9E37_79B9_7F4A_7C15) }

  func result() -> Fingerprint { Fingerprint(high: end, low: fold(end ^ factor)) }

  @inline(__always)
  private func fold(_ word: UInt64) -> UInt64 {
    let product = (word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: factor)
    return product.high ^ product.low &+ word
  }
}
