/// The permission of a key.
public enum KeyScope: String, Sendable, Hashable, CaseIterable {
  /// Decisions, goals and rewards.
  case client
  /// Appending events.
  case ingest
  /// Reports, metrics and definitions.
  case read
  /// Definitions and everything else.
  case admin
}

/// A key that a client gave and that the service knows.
public struct ServiceKey: Sendable, Hashable {
  /// The name of the key, which may appear in logs.
  public var name: String
  /// The permission in words.
  public var scopes: Set<KeyScope>

  /// Creates a key.
  public init(name: String, scopes: Set<KeyScope>) {
    self.name = name
    self.scopes = scopes
  }
}
