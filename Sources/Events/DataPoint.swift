/// Something known of a unit: a custom value, an interest, a device, an option taken or encountered.
public struct DataPoint: Hashable, Sendable {
  /// What sort of thing is known: `custom`, `interest`, `optionTaken`, ...
  @ByBytes public var kind: String
  /// What exactly, within the kind.
  @ByBytes public var key: String?
  /// Its value.
  public var value: AttributeValue?

  /// Makes a data point.
  public init(kind: String, key: String? = nil, value: AttributeValue? = nil) {
    self.kind = kind
    self.key = key
    self.value = value
  }
}
