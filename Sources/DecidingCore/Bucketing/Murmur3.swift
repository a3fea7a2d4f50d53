/// The hash MurmurHash3_x86_32 by A. Appleby, https://github.com/aappleby/smhasher/wiki/MurmurHash3.
///
/// Used by ``OptimizelyBucketing`` and ``UnleashBucketing``.
package enum Murmur3 {
  /// Returns the hash of the text's UTF-8 bytes, such as `248bfa47` (hexadecimal) for `hello` with seed 0.
  ///
  /// - Complexity: O(length), without allocation.
  package static func hash32(_ text: String, seed: UInt32 = 0) -> UInt32 {
    var hash = seed
    var (word, count) = (0 as UInt32, 0 as UInt32)
    for byte in text.utf8 {
      word |= UInt32(byte) &<< (8 &* (count & 3))
      count &+= 1
      if count & 3 == 0 {
        hash = rotated(hash ^ scrambled(word), by: 13) &* 5 &+ 0xE654_6B64
        word = 0
      }
    }
    // A zero word, as also results from an empty tail, does not change the hash.
    return finished(hash ^ scrambled(word) ^ count)
  }

  private static func scrambled(_ word: UInt32) -> UInt32 {
    rotated(word &* 0xCC9E_2D51, by: 15) &* 0x1B87_3593
  }

  private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
    word &<< count | word &>> (32 &- count)
  }

  /// Mixes the bits, so that every bit depends on every other one.
  private static func finished(_ word: UInt32) -> UInt32 {
    var hash = (word ^ word &>> 16) &* 0x85EB_CA6B
    hash = (hash ^ hash &>> 13) &* 0xC2B2_AE35
    return hash ^ hash &>> 16
  }
}
