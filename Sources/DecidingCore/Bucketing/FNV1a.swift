/// The hash FNV-1a of 32 bits: G. Fowler, L. C. Noll, K.-P. Vo and D. Eastlake, "The FNV non-cryptographic hash
/// algorithm" (draft-eastlake-fnv), http://www.isthe.com/chongo/tech/comp/fnv/.
///
/// Used by ``GrowthBookBucketing``, and by systems that hash a unit themselves.
package enum FNV1a {
  /// Returns the hash of the text's UTF-8 bytes, such as `e40c292c` (hexadecimal) for `a`.
  ///
  /// - Complexity: O(length).
  package static func hash32(_ text: String) -> UInt32 {
    hash32(text.utf8)
  }

  /// Returns the hash of units of at most 32 bits, one round each: for bytes the published hash.
  static func hash32(_ units: some Sequence<some FixedWidthInteger & UnsignedInteger>) -> UInt32 {
    units.reduce(0x811C_9DC5) { ($0 ^ UInt32(truncatingIfNeeded: $1)) &* 0x0100_0193 }
  }
}
