import Events

extension JSONValue {
  /// Returns an object of the members that have a value.
  static func answer(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(
      JSONObject(
        members.compactMap { name, value in value.map { JSONObject.Member(name: name, value: $0) } }
      ))
  }

  /// Returns a text; nil for nil.
  static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
}
