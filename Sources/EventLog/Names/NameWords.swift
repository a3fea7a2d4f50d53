/// A name of at most 16 bytes as two words and its length, equal if and only if the names are. Comparing them does not
/// access the stored names.
struct NameWords: Hashable, Sendable {
  static let longestName = 16

  var first: UInt64
  var last: UInt64
  /// The length of the name in the lower 32 bits, and other distinguishing data above.
  var tag: UInt64

  /// A value that no name has.
  static let none = NameWords(first: 0, last: 0, tag: .max)

  init(first: UInt64, last: UInt64, tag: UInt64) {
    (self.first, self.last, self.tag) = (first, last, tag)
  }

  /// Encodes a name; nil if it is too long.
  @inline(__always)
  init?(_ name: Span<UInt8>) {
    guard name.count <= Self.longestName else { return nil }
    (first, last) = NameBytes.ends(name, from: 0)
    tag = UInt64(truncatingIfNeeded: name.count)
  }

  /// A hash, in the upper bits. Names crafted to collide only share a slot among recent ones. The multiplier is that
  /// of `DistinctNumbers`.
  @inline(__always)
  var mixed: UInt64 {
    let both = first ^ (last &<< 32 | last &>> 32) &+ tag
    return (both ^ both &>> 29) &* 0x9E37_79B9_7F4A_7C15
  }
}
