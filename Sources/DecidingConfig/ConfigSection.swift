public import Events

/// One section of a configuration: named settings, each with a value (`settings.KEY.value`).
///
/// Values are asked for in three ways. The forms of the original (`integerForKey(_:)`, `stringForKey(_:)`, ...)
/// turn texts, numbers and truth values into each other and give 0, 0.0 or false when there is nothing to
/// turn; the same with `default:` give the default then; ``int(_:)``, ``double(_:)`` and ``bool(_:)`` give nil
/// unless the value is just that.
public struct ConfigSection: Sendable {
  /// Its name.
  public let name: String

  let content: JSONObject
  /// What a schema gives for keys without a value.
  var defaults: JSONObject = [:]

  init(name: String, content: JSONObject) {
    self.name = name
    self.content = content
  }

  /// The whole section as it was sent.
  public var json: JSONValue { .object(content) }

  /// The keys of its settings, ascending by their UTF-8 bytes; those without a value too.
  public var keys: [String] { settings?.names ?? [] }

  /// The value of the setting, whatever it is, `null` included; nil when a level on the way to it is missing or
  /// no object, and the schema of the front has no default for it.
  ///
  /// - Complexity: O(log n) in the number of settings.
  public subscript(_ key: String) -> JSONValue? {
    settings?[key]?["value"] ?? defaults[key]
  }

  private var settings: JSONObject? { content["settings"]?.object }
}

extension ConfigSection: Hashable {
  /// Compares the name and what was sent; a schema's defaults do not count.
  public static func == (a: ConfigSection, b: ConfigSection) -> Bool {
    a.name.utf8.elementsEqual(b.name.utf8) && a.content == b.content
  }

  /// Hashes what was sent, to agree with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}
