/// Who appends batches that are numbered, so that none is appended twice.
public struct ProducerID: RawRepresentable, Hashable, Sendable, Comparable {
  /// A number that is not 0, which the log keeps for frames of no producer.
  public let rawValue: UInt64

  /// A producer of a given number; nil for 0.
  public init?(rawValue: UInt64) {
    guard rawValue != 0 else { return nil }
    self.rawValue = rawValue
  }

  /// A producer of a name: the same number for the same name, always and everywhere. Among a thousand names the
  /// probability that two have the same number is below 1e-13.
  public init(name: String) {
    let hash = StableHash.of(Array(name.utf8)[...])
    rawValue = hash == 0 ? 1 : hash
  }

  /// Orders by number.
  public static func < (a: ProducerID, b: ProducerID) -> Bool { a.rawValue < b.rawValue }
}
