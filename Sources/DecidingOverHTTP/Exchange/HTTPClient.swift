internal import Foundation
internal import Threads

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A request.
struct HTTPRequest: Sendable {
  var method = "GET"
  var address: String
  /// The header fields, in ascending order of their names.
  var fields: [(name: String, value: String)] = []
  var body: [UInt8]?
}

/// A complete response.
struct HTTPResponse: Sendable {
  var status: Int
  /// The value of `Retry-After`; nil if there is none.
  var retryAfter: String?
  var body: [UInt8]

  var isSuccess: Bool { (200..<300).contains(status) }
}

/// A client of HTTP that keeps its connections, and no cookies, cache or credentials. It follows no
/// redirection, since the key would go along.
final class HTTPClient: Sendable {
  /// The timeout of an exchange, from the first byte sent to the last one received.
  let timeout: Duration
  private let limit: Int
  private let session: URLSession
  private let exchanges: HTTPExchanges

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - timeout: The timeout of an exchange.
  ///   - limit: The maximum size of the body of a response, in bytes.
  init(timeout: Duration, limit: Int) {
    self.timeout = timeout
    self.limit = limit
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpShouldSetCookies = false
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpMaximumConnectionsPerHost = 32
    exchanges = HTTPExchanges()
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// Sends a request and returns the complete response, whatever its status.
  ///
  /// - Throws: ``HTTPError``; also when the task is cancelled.
  func response(to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let made = try urlRequest(request)
    let exchange = HTTPExchange(limit: limit)
    let timeout = timeout
    let timer = Task {
      if (try? await Task.sleep(for: timeout)) != nil { exchange.end(.failure(.timeout(timeout))) }
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      await exchange.outcome {
        let task = session.dataTask(with: made)
        exchanges.add(exchange, of: task)
        task.resume()
        return task
      }
    } onCancel: {
      exchange.end(.failure(.network("the task was cancelled")))
    }.get()
  }

  private func urlRequest(_ request: HTTPRequest) throws(HTTPError) -> URLRequest {
    var made = URLRequest(url: try HTTPAddress.url(request.address))
    made.httpMethod = request.method
    // The timeout of the session restarts with each byte; the timer ends the exchange before it
    // does.
    made.timeoutInterval = min(Double(timeout.components.seconds) + 60, 86_400)
    // Without a name of its own the client has that of the transfer library, which a server can
    // take for a program instead of a visitor.
    made.setValue("Bandolier", forHTTPHeaderField: "User-Agent")
    for field in request.fields {
      guard Self.isSendable(field.value) else { throw .invalidHeader(field.name) }
      made.setValue(field.value, forHTTPHeaderField: field.name)
    }
    made.httpBody = request.body.map { Data($0) }
    return made
  }

  /// Whether a header field can have the value: visible ASCII characters, and blanks between them.
  private static func isSendable(_ value: String) -> Bool {
    value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && value.first != " " && value.last != " "
  }
}
