internal import Threads

/// A small HTTP/1.1 server on 127.0.0.1 for tests: a thread per connection, connections that are
/// kept, and bodies of a known length.
public final class TestHTTPServer: Sendable {
  /// A request as received.
  public struct Request: Sendable {
    /// The method, such as `GET`.
    public var method: String
    /// The path and the query, percent-encoded.
    public var target: String
    /// The header fields, in order; names in lowercase.
    public var fields: [(name: String, value: String)]
    public var body: [UInt8]

    /// The first value of a header field.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// A response to send.
  public struct Response: Sendable {
    public var status: Int
    public var fields: [(name: String, value: String)]
    public var body: [UInt8]
    /// What is sent instead of all this, before the connection is closed.
    var raw: [UInt8]?
    /// Whether the connection stays open after that, until the client closes it.
    var isStalled = false

    public init(
      _ status: Int = 200, fields: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
      self.status = status
      self.fields = fields
      self.body = body
    }

    public init(
      _ status: Int = 200, fields: [(name: String, value: String)] = [], text: String
    ) {
      self.init(status, fields: fields, body: Array(text.utf8))
    }

    /// Any text, after which the connection is closed.
    public static func raw(_ text: String) -> Response {
      var response = Response()
      response.raw = Array(text.utf8)
      return response
    }

    /// Any text, after which nothing follows until the client closes the connection.
    public static func stalled(_ text: String) -> Response {
      var response = raw(text)
      response.isStalled = true
      return response
    }
  }

  /// The port.
  public let port: UInt16
  private let core: TestHTTPCore

  /// Starts a server on a free port. It stops when it is released.
  ///
  /// - Parameter respond: Makes the response. It runs on the thread of the connection, not in a
  ///   task, so that a server answers while tests that block keep all tasks waiting.
  /// - Throws: An error if no port can be had.
  public init(_ respond: @escaping @Sendable (Request) -> Response) throws {
    let listener: Int32
    (listener, port) = try TestSocket.listen()
    core = TestHTTPCore(listener, respond)
    core.start()
  }

  deinit { stop() }

  /// The address, without a slash at its end.
  public var address: String { "http://127.0.0.1:\(port)" }

  /// The requests so far, in the order of their arrival.
  public var requests: [Request] { core.content.withLock { $0.requests } }

  /// The number of connections that are open.
  public var connectionCount: Int { core.content.withLock { $0.connections.count } }

  /// Accepts no more connections, and closes those that are open; a handler that runs is not waited
  /// for.
  public func stop() { core.stop() }
}

extension TestHTTPServer.Response {
  func bytes(to request: TestHTTPServer.Request, isLast: Bool) -> [UInt8] {
    if let raw { return raw }
    var head = "HTTP/1.1 \(status) Status\r\n"
    for field in fields { head += "\(field.name): \(field.value)\r\n" }
    let hasBody = status >= 200 && status != 204 && status != 304
    if hasBody { head += "content-length: \(body.count)\r\n" }
    if isLast { head += "connection: close\r\n" }
    return Array((head + "\r\n").utf8) + (hasBody && request.method != "HEAD" ? body : [])
  }
}
