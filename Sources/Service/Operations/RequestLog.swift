internal import Events

/// A line of the request log: one JSON object per request, without keys, values of queries, and bodies.
struct RequestLine: Sendable {
  var time: Timestamp
  var id: String
  var method: String
  /// The pattern of the route; nil if no route matched.
  var route: String?
  var status: Int
  /// The duration in microseconds.
  var micros: Int64
  /// The sizes of the bodies.
  var received: Int
  var sent: Int
  /// The name of the key; nil if none was given.
  var key: String?

  /// The line, with its line feed.
  var text: [UInt8] {
    var text: [UInt8] = []
    var iso: [UInt8] = []
    time.write(to: &iso)
    let members: [(String, JSONValue)] = [
      ("time", .string(String(decoding: iso, as: UTF8.self))), ("id", .string(id)),
      ("method", .string(method)), ("route", route.map { .string($0) } ?? .null),
      ("status", .integer(Int64(status))), ("micros", .integer(micros)),
      ("received", .integer(Int64(received))), ("sent", .integer(Int64(sent))),
      ("key", key.map { .string($0) } ?? .null),
    ]
    for (index, (name, value)) in members.enumerated() {
      text += (index == 0 ? "{\"" : ",\"").utf8
      text += name.utf8
      text += "\":".utf8
      value.write(to: &text)
    }
    text += "}\n".utf8
    return text
  }
}

/// The ids of requests: the client's if it gives a short one, else one made here.
struct RequestIDs: Sendable {
  private let ids: @Sendable () -> String

  /// Creates a source of ids.
  init(_ ids: @escaping @Sendable () -> String) { self.ids = ids }

  /// Returns the id of a request.
  func id(of request: ServiceRequest) -> String {
    if let id = request.fields["x-request-id"], Self.isShort(id) { return id }
    return ids()
  }

  private static func isShort(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}
