/// A hash that is the same on every machine and in every version: 64-bit FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo),
/// finalized by the mixing of SplitMix64, so that every bit of it depends on every byte.
package enum StableHash {
  /// Returns the hash of some bytes.
  ///
  /// - Complexity: O(n), without allocation.
  package static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }
}
