/// A 128-bit hash of an event's content or id.
package struct Fingerprint: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The upper half, which is compared first.
  package var high: UInt64
  /// The lower half.
  package var low: UInt64

  /// Creates a fingerprint from its halves.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Compares as 128-bit integers.
  package static func < (a: Fingerprint, b: Fingerprint) -> Bool {
    a.high != b.high ? a.high < b.high : a.low < b.low
  }
}
