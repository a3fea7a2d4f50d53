internal import Statistics

/// The hash of hashed features and of the folds of cross-fitting, the same on every machine and in every version.
///
/// A text has the 64-bit FNV-1a hash (G. Fowler, L. C. Noll, K.-P. Vo) of its UTF-8 bytes. Hashes are combined and
/// finalized by the mixing of SplitMix64: h = mix(h ⊕ next), from h = 0, in the order of the texts.
package enum FeatureHash {
  /// Returns the FNV-1a hash of a text.
  static func of(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// Returns the combination of a hash with the next one.
  @inline(__always)
  package static func combine(_ hash: UInt64, _ next: UInt64) -> UInt64 {
    var words = SplitMix64(seed: hash ^ next)
    return words.next()
  }

  /// Returns a number below `count` from the high bits of a hash.
  @inline(__always)
  package static func place(_ hash: UInt64, below count: Int) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(count)).high)
  }

  /// Returns −1 or 1 from the lowest bit of a hash: K. Weinberger et al., "Feature hashing for large scale multitask
  /// learning" (ICML 2009), in which signs make collisions cancel on average.
  @inline(__always)
  static func sign(_ hash: UInt64) -> Double { hash & 1 == 0 ? 1 : -1 }
}
