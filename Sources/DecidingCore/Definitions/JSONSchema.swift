package import Events

/// JSON Schemas (draft 2020-12) of what is read and written.
package enum JSONSchema {
  /// A text.
  package static let string: JSONValue = ["type": "string"]
  /// A number.
  package static let number: JSONValue = ["type": "number"]
  /// A truth value.
  package static let boolean: JSONValue = ["type": "boolean"]

  /// A list.
  package static func list(of items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

  /// An object with any names.
  package static func map(of values: JSONValue) -> JSONValue {
    ["type": "object", "additionalProperties": values]
  }

  /// One of the words.
  package static func word(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }

  /// One of the words of an enumeration.
  package static func word<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> JSONValue {
    word(Word.allCases.map(\.rawValue))
  }

  /// A text, or something else.
  package static func text(or schema: JSONValue) -> JSONValue { ["anyOf": [string, schema]] }

  /// An object with members, of which some are required; a closed one has no others.
  package static func object(
    _ properties: JSONObject, required: [String] = [], isClosed: Bool = false
  ) -> JSONValue {
    var schema: JSONObject = ["type": "object", "properties": .object(properties)]
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    if isClosed { schema["additionalProperties"] = false }
    return .object(schema)
  }
}
