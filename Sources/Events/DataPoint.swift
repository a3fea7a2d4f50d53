/// A fact about a unit: a custom value, an interest, a device, an option taken or encountered.
public struct DataPoint: Hashable, Sendable {
  /// The kind of the fact: `custom`, `interest`, `optionTaken`, ...
  @ByBytes public var kind: String
  /// The key within the kind.
  @ByBytes public var key: String?
  /// The value.
  public var value: AttributeValue?

  /// Creates a data point.
  public init(kind: String, key: String? = nil, value: AttributeValue? = nil) {
    self.kind = kind
    self.key = key
    self.value = value
  }
}
