/// Hashing and comparison of names in words of eight bytes: doing so byte by byte took half of the time of appending.
enum NameBytes {
  /// Returns a hash for use in hash tables: it differs from process to process and never affects results.
  ///
  /// Two words at a time are multiplied, and the halves of the product folded (after Wang Yi's wyhash, public domain),
  /// with an unpredictable key.
  @inline(__always)
  static func hash(_ name: Span<UInt8>) -> UInt64 {
    var hash = key.first ^ UInt64(truncatingIfNeeded: name.count)
    var start = 0
    while name.count &- start > 16 {
      hash = fold(name.word(at: start) ^ hash, name.word(at: start &+ 8) ^ key.second)
      start &+= 16
    }
    let (head, tail) = ends(name, from: start)
    return fold(head ^ hash, tail ^ key.second)
  }

  /// Returns the hash of a single word.
  @inline(__always)
  static func hash(_ word: UInt64) -> UInt64 {
    fold(word ^ key.first, key.second | 1)
  }

  /// Returns whether two names are equal.
  @inline(__always)
  static func areEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    var start = 0
    while a.count &- start > 16 {
      let first = a.word(at: start) ^ b.word(at: start)
      let second = a.word(at: start &+ 8) ^ b.word(at: start &+ 8)
      guard first | second == 0 else { return false }
      start &+= 16
    }
    return ends(a, from: start) == ends(b, from: start)
  }

  /// Returns the last bytes, at most 16, as two words: for each length, no two texts give the same words. Both words
  /// may include the same byte, which is cheaper than avoiding it.
  @inline(__always)
  static func ends(_ name: Span<UInt8>, from start: Int) -> (UInt64, UInt64) {
    let count = name.count &- start
    let end = name.count
    if count >= 8 { return (name.word(at: start), name.word(at: end &- 8)) }
    if count >= 4 { return (UInt64(name.halfWord(at: start)), UInt64(name.halfWord(at: end &- 4))) }
    guard count > 0 else { return (0, 0) }
    let middle = start &+ count / 2
    return (UInt64(name[start]) | UInt64(name[middle]) << 8, UInt64(name[end &- 1]))
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  private static let key = FingerprintKey.random()
}
