/// A property wrapper that compares and hashes texts by their UTF-8 bytes. Swift would treat canonically equivalent
/// texts, such as `é` in one character or in two, as equal.
@propertyWrapper
public struct ByBytes<Value: TextValue>: Hashable, Sendable {
  /// The text, or the texts.
  public var wrappedValue: Value

  /// Wraps a text, or texts.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Compares the UTF-8 bytes.
  public static func == (a: ByBytes, b: ByBytes) -> Bool {
    a.wrappedValue.hasSameText(as: b.wrappedValue)
  }

  /// Hashes the UTF-8 bytes, consistently with `==`.
  public func hash(into hasher: inout Hasher) { wrappedValue.hashText(into: &hasher) }
}

/// A type that ``ByBytes`` can wrap: a text, an optional text, or a list of texts.
public protocol TextValue: Sendable {
  /// Returns whether both have the same UTF-8 bytes.
  func hasSameText(as other: Self) -> Bool
  /// Hashes the UTF-8 bytes, consistently with ``hasSameText(as:)``.
  func hashText(into hasher: inout Hasher)
}

extension String: TextValue {
  /// Returns whether both have the same UTF-8 bytes.
  public func hasSameText(as other: String) -> Bool { hasSameBytes(as: other) }
  /// Hashes the UTF-8 bytes.
  public func hashText(into hasher: inout Hasher) { hashBytes(into: &hasher) }
}

extension Optional: TextValue where Wrapped: TextValue {
  /// Returns whether both are nil, or have the same UTF-8 bytes.
  public func hasSameText(as other: Wrapped?) -> Bool {
    switch (self, other) {
    case (let a?, let b?): a.hasSameText(as: b)
    case (nil, nil): true
    default: false
    }
  }

  /// Hashes the UTF-8 bytes, or that there are none.
  public func hashText(into hasher: inout Hasher) {
    hasher.combine(self != nil)
    self?.hashText(into: &hasher)
  }
}

extension Array: TextValue where Element: TextValue {
  /// Returns whether all have the same UTF-8 bytes, in the same order.
  public func hasSameText(as other: [Element]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.hasSameText(as: $1) }
  }

  /// Hashes the UTF-8 bytes of all.
  public func hashText(into hasher: inout Hasher) {
    hasher.combine(count)
    for text in self { text.hashText(into: &hasher) }
  }
}
