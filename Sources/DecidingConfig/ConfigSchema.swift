public import Events

/// A schema for the values of a configuration: a type, a range and a default for each key.
///
/// A document with a value that the schema does not allow is not applied. A key without a value has its
/// default when its section is read; a missing section remains missing. Sections and keys that the schema
/// does not name can have any value. Configurations logged before the schema are not checked again.
public struct ConfigSchema: Hashable, Sendable {
  /// The schema of one key.
  public struct Key: Hashable, Sendable {
    /// The type and range of the value.
    public var type: ValueType
    /// The default value; nil for none. It is returned as is.
    public var `default`: JSONValue?

    /// Creates the schema of a key.
    public init(_ type: ValueType, default: JSONValue? = nil) {
      self.type = type
      self.default = `default`
    }

    /// Returns the schema of a Boolean.
    public static func boolean(default: Bool? = nil) -> Key {
      Key(.boolean, default: `default`.map { .boolean($0) })
    }

    /// Returns the schema of an integer in the range, any by default.
    public static func integer(_ range: ClosedRange<Int> = .min ... .max, default: Int? = nil)
      -> Key
    {
      Key(.integer(range), default: `default`.map { .integer(Int64($0)) })
    }

    /// Returns the schema of a number in the range, any by default.
    public static func number(
      _ range: ClosedRange<Double> = -.infinity ... .infinity, default: Double? = nil
    ) -> Key {
      Key(.number(range), default: `default`.map { .number($0) })
    }

    /// Returns the schema of a text; one of the given ones if there are any.
    public static func text(oneOf texts: [String] = [], default: String? = nil) -> Key {
      Key(.text(oneOf: texts), default: `default`.map { .string($0) })
    }
  }

  /// The type of a value, with the allowed range.
  public enum ValueType: Hashable, Sendable {
    /// A Boolean.
    case boolean
    /// An integer in the range.
    case integer(ClosedRange<Int>)
    /// A number in the range.
    case number(ClosedRange<Double>)
    /// A text; one of the given ones if there are any.
    case text(oneOf: [String])
    /// A list.
    case list
    /// An object.
    case object
  }

  private let sections: [String: [String: Key]]
  /// Computed once, because they are needed whenever a section is read.
  private let defaults: [TextKey: JSONObject]

  /// Creates a schema from the keys of each section.
  public init(_ sections: [String: [String: Key]]) {
    self.sections = sections
    defaults = Dictionary(
      uniqueKeysWithValues: sections.map { name, keys in
        let members = keys.compactMap { key, description in
          description.default.map { JSONObject.Member(name: key, value: $0) }
        }
        return (TextKey(name), JSONObject(members))
      })
  }

  /// Returns an error for the first value, by section and key, that the schema does not allow; nil when there
  /// is none.
  func violation(in state: ConfigurationState) -> ConfigError? {
    for name in sections.keys.sorted(by: Self.byBytes) {
      guard let section = state.section(name), let keys = sections[name] else { continue }
      for key in keys.keys.sorted(by: Self.byBytes) {
        guard let value = section[key], let type = keys[key]?.type, !type.allows(value) else {
          continue
        }
        return .wrongType(
          path: "config_sections.\(name).settings.\(key).value", expected: type.description)
      }
    }
    return nil
  }

  /// Returns the defaults of a section's keys.
  func defaults(of section: String) -> JSONObject {
    defaults[TextKey(section)] ?? [:]
  }

  private static func byBytes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

extension ConfigSchema.ValueType: CustomStringConvertible {
  /// The requirement on a value, in words.
  public var description: String {
    switch self {
    case .boolean: "true or false"
    case .integer(.min ... .max): "a whole number"
    case .integer(let range):
      "a whole number in \(range.lowerBound) ... \(range.upperBound)"
    case .number(-.infinity ... .infinity): "a number"
    case .number(let range): "a number in \(range.lowerBound) ... \(range.upperBound)"
    case .text(oneOf: []): "a text"
    case .text(let texts): "one of " + texts.map { "\"\($0)\"" }.joined(separator: ", ")
    case .list: "a list"
    case .object: "an object"
    }
  }

  /// Returns whether a value has the type and is in the range.
  func allows(_ value: JSONValue) -> Bool {
    switch self {
    case .boolean: value.boolean != nil
    case .integer(let range): value.integer.map { range.contains(Int($0)) } ?? false
    case .number(let range): value.number.map { range.contains($0) } ?? false
    case .text(let texts):
      value.string.map { text in
        texts.isEmpty || texts.contains { $0.utf8.elementsEqual(text.utf8) }
      } ?? false
    case .list: value.array != nil
    case .object: value.object != nil
    }
  }
}
