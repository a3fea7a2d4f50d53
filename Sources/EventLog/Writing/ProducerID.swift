/// A producer of numbered batches, each of which is appended at most once.
public struct ProducerID: RawRepresentable, Hashable, Sendable, Comparable {
  /// A number other than 0, which is reserved for frames without a producer.
  public let rawValue: UInt64

  /// Creates a producer from its number; nil for 0.
  public init?(rawValue: UInt64) {
    guard rawValue != 0 else { return nil }
    self.rawValue = rawValue
  }

  /// Creates a producer from a name: the same number for the same name, always and everywhere. Among a thousand names
  /// the probability that any two have the same number is below 1e-13.
  public init(name: String) {
    let hash = StableHash.of(Array(name.utf8)[...])
    rawValue = hash == 0 ? 1 : hash
  }

  /// Compares by number.
  public static func < (a: ProducerID, b: ProducerID) -> Bool { a.rawValue < b.rawValue }
}
