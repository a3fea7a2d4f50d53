/// A name of at most 16 bytes as two words, and its length: the same words when and only when the names are the
/// same. Comparing them takes no look at where a name is kept.
struct NameWords: Hashable, Sendable {
  static let longestName = 16

  var first: UInt64
  var last: UInt64
  /// The length of the name, and above the lower 32 bits whatever else tells it apart.
  var tag: UInt64

  /// What no name is.
  static let none = NameWords(first: 0, last: 0, tag: .max)

  init(first: UInt64, last: UInt64, tag: UInt64) {
    (self.first, self.last, self.tag) = (first, last, tag)
  }

  /// The words of a name; nil when it is too long.
  @inline(__always)
  init?(_ name: Span<UInt8>) {
    guard name.count <= Self.longestName else { return nil }
    (first, last) = NameBytes.ends(name, from: 0)
    tag = UInt64(truncatingIfNeeded: name.count)
  }

  /// A number that differs for most names, in its upper bits. Names that are made to share it only share a place
  /// among recent ones. The multiplier is that of `DistinctNumbers`.
  @inline(__always)
  var mixed: UInt64 {
    let both = first ^ (last &<< 32 | last &>> 32) &+ tag
    return (both ^ both &>> 29) &* 0x9E37_79B9_7F4A_7C15
  }
}
