/// The 128 bits that make fingerprints unpredictable to whoever writes the input.
///
/// Fingerprints are never stored, so a key drawn anew for every import does: no result depends on it.
public struct FingerprintKey: Hashable, Sendable {
  /// The first half.
  public var first: UInt64
  /// The second half.
  public var second: UInt64

  /// Makes a key from its halves.
  public init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }

  /// A key that nobody can foresee, from the system's random numbers.
  public static func random() -> FingerprintKey {
    FingerprintKey(first: .random(in: .min ... .max), second: .random(in: .min ... .max))
  }
}
