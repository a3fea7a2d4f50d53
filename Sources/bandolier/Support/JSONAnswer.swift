import Events

extension JSONValue {
  /// An object of the members that have a value.
  static func answer(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(
      JSONObject(
        members.compactMap { name, value in value.map { JSONObject.Member(name: name, value: $0) } }
      ))
  }

  /// A text; nil for none.
  static func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
}
