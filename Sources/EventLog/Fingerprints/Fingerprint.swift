/// 128 bits that stand for an event's content or id.
package struct Fingerprint: Hashable, Comparable, Sendable {
  /// The upper half, which orders first.
  package var high: UInt64
  /// The lower half.
  package var low: UInt64

  /// Makes a fingerprint from its halves.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Orders as a 128-bit number.
  package static func < (a: Fingerprint, b: Fingerprint) -> Bool {
    a.high != b.high ? a.high < b.high : a.low < b.low
  }
}
