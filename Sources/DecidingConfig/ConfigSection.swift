public import Events

/// A section of a configuration: named settings, each with a value (`settings.KEY.value`).
///
/// Values can be read in three ways. The accessors of the original (`integerForKey(_:)`, `stringForKey(_:)`,
/// ...) convert between texts, numbers and Booleans, and return 0, 0.0 or false when there is nothing to
/// convert; with `default:` they return the default then; ``int(_:)``, ``double(_:)`` and ``bool(_:)`` return
/// nil unless the value has exactly that type.
public struct ConfigSection: Sendable {
  /// The name of the section.
  public let name: String

  let content: JSONObject
  /// The schema's defaults for keys without a value.
  var defaults: JSONObject = [:]

  /// The whole section as received.
  public var json: JSONValue { .object(content) }

  /// The keys of the settings, ascending by their UTF-8 bytes, including those without a value.
  public var keys: [String] { settings?.names ?? [] }

  /// Returns the value of the setting, of any type, including `null`; nil when a level of its path is missing
  /// or not an object, and the schema has no default for it.
  ///
  /// - Complexity: O(log n) in the number of settings.
  public subscript(_ key: String) -> JSONValue? {
    settings?[key]?["value"] ?? defaults[key]
  }

  private var settings: JSONObject? { content["settings"]?.object }
}

extension ConfigSection: Hashable {
  /// Compares the name and the content received; a schema's defaults are ignored.
  public static func == (a: ConfigSection, b: ConfigSection) -> Bool {
    a.name.utf8.elementsEqual(b.name.utf8) && a.content == b.content
  }

  /// Hashes the content received, to agree with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}
