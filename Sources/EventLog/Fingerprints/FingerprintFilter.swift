/// A Bloom filter over fingerprints (B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970)
/// in blocks of 512 bits: all bits of a key lie in one block, which costs one cache miss instead of one for each (F.
/// Putze, P. Sanders, J. Singler, "Cache-, hash- and space-efficient Bloom filters", 2007).
///
/// The number of blocks is a power of two, so that a filter can be halved by folding without losing any key. The blocks
/// have the order of the keys, so that keys added in order fill one block after the other.
struct FingerprintFilter {
  private static let wordsPerBlock = 8
  private static let probes = 5
  private var words: [UInt64]

  /// Creates a filter with 8 to 16 bits for each of `count` keys, or as many as fit the budget; nil if that is less
  /// than a bit per key.
  init?(count: Int, budget: Int) {
    var blockCount = 1
    while blockCount * 64 < count { blockCount *= 2 }
    while blockCount * 64 > budget, blockCount > 0 { blockCount /= 2 }
    guard blockCount > 0, blockCount * 512 >= count else { return nil }
    words = Array(repeating: 0, count: blockCount * Self.wordsPerBlock)
  }

  /// The size of the filter in bytes.
  var byteCount: Int { words.count * 8 }

  mutating func insert(_ key: Fingerprint) {
    let block = self.block(of: key)
    var places = key.low
    for _ in 0..<Self.probes {
      words[block + Int(places >> 6 & 7)] |= 1 << (places & 63)
      places >>= 9
    }
  }

  /// Returns false only if the key was never inserted.
  func mayContain(_ key: Fingerprint) -> Bool {
    let block = self.block(of: key)
    var places = key.low
    for _ in 0..<Self.probes {
      if words[block + Int(places >> 6 & 7)] & (1 << (places & 63)) == 0 { return false }
      places >>= 9
    }
    return true
  }

  /// Has the processor load the block of a key, without waiting for it.
  @inline(__always)
  func prefetch(_ key: Fingerprint) { LargeTable.prefetch(words, block(of: key)) }

  /// Returns a filter of the same keys in half the space; nil if that leaves less than a bit for each of `count` keys.
  func halved(count: Int) -> FingerprintFilter? {
    let half = words.count / 2
    guard half >= Self.wordsPerBlock, half * 64 >= count else { return nil }
    var result = self
    result.words.removeLast(half)
    for index in 0..<half {
      let (block, word) = index.quotientAndRemainder(dividingBy: Self.wordsPerBlock)
      let first = 2 * block * Self.wordsPerBlock + word
      result.words[index] = words[first] | words[first + Self.wordsPerBlock]
    }
    return result
  }

  /// The index of the first word of the key's block.
  @inline(__always)
  private func block(of key: Fingerprint) -> Int {
    let blockCount = UInt64(words.count / Self.wordsPerBlock)
    return Int(key.high.multipliedFullWidth(by: blockCount).high) * Self.wordsPerBlock
  }
}
