internal import DecidingCore
public import Events

/// An HTTP response, independent of the server that sends it.
public struct ServiceResponse: Sendable, Hashable {
  /// The status code.
  public var status: Int
  /// The header fields.
  public var fields: HeaderFields
  /// The body; empty if there is none.
  public var body: [UInt8]

  /// Creates a response.
  public init(status: Int = 200, fields: HeaderFields = [:], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Creates a response of JSON.
  public init(status: Int = 200, json: JSONValue, fields: HeaderFields = [:]) {
    var output: [UInt8] = []
    json.write(to: &output)
    self.init(status: status, fields: fields, body: output)
    self.fields["content-type"] = "application/json; charset=utf-8"
    if self.fields["cache-control"] == nil { self.fields["cache-control"] = "no-store" }
  }
}

extension ServiceResponse {
  /// Creates a response of JSON whose numbers keep their type.
  init(typed json: JSONValue, fields: HeaderFields = [:]) {
    self.init(json: .null, fields: fields)
    body = []
    json.writeTyped(to: &body)
  }
}
