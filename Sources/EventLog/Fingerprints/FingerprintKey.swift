/// A 128-bit key that makes fingerprints unpredictable to the author of the input.
///
/// Fingerprints are never stored, so a new key can be drawn for every import without affecting results.
public struct FingerprintKey: Hashable, Sendable {
  /// The first half.
  public var first: UInt64
  /// The second half.
  public var second: UInt64

  /// Creates a key from its halves.
  public init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }

  /// Returns an unpredictable key from the system's random number generator.
  public static func random() -> FingerprintKey {
    FingerprintKey(first: .random(in: .min ... .max), second: .random(in: .min ... .max))
  }
}
