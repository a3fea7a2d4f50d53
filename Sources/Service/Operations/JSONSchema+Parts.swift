internal import DecidingCore
internal import Events

extension JSONSchema {
  /// A number of things.
  static let count: JSONValue = ["type": "integer", "minimum": 0]

  /// The body of a problem, with further members.
  static func problem(_ more: JSONObject = [:]) -> JSONValue {
    let error = object(more.with("code", string).with("message", string), required: ["code", "message"])
    return object(["error": error], required: ["error"])
  }

  /// A parameter of the query or, if it says so, of the header.
  static func parameter(
    _ name: String, _ description: String, _ schema: JSONValue, in place: String = "query"
  ) -> JSONValue {
    [
      "name": .string(name), "in": .string(place), "required": false,
      "description": .string(description), "schema": schema,
    ]
  }

  /// The header field of a request that is answered only if something has changed.
  static let ifNoneMatch = parameter(
    "If-None-Match", "The ETag of an earlier response", string, in: "header")
}
