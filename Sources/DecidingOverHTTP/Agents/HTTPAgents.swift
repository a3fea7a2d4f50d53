public import DecidingAgents
internal import Events

/// A transport to agents over HTTP: to `bandolier-serve`, or to any service with the same routes.
///
/// ```swift
/// let transport = try HTTPAgents("https://agents.example.com")
/// let client = AgentClient(owner: "acme", apiKey: key, transport: transport)
/// ```
///
/// It asks for explained replies, so that a client gets the same information as an in-process one.
/// It keeps connections open, follows no redirection, sends the key in the header field
/// `x-mpath-apikey` only, and does not retry: whether a call is worth a retry is up to the caller
/// (``DecidingAgents/AgentError/isRetryable``).
public struct HTTPAgents: AgentTransport {
  /// The timeout of a request. ``DecidingAgents/AgentClient`` has one of its own; the shorter one
  /// applies.
  public var timeout: Duration { client.timeout }

  private let address: HTTPAddress
  private let client: HTTPClient

  /// The maximum number of calls in a batch of the service; longer ones are sent in several
  /// requests.
  static let batchLimit = 100

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - address: The address of the service, with the path under which it is:
  ///     `https://agents.example.com`.
  ///   - timeout: The timeout of a request, from the first byte sent to the last one received.
  /// - Throws: ``HTTPError/invalidAddress(_:reason:)``.
  public init(_ address: String, timeout: Duration = .seconds(5)) throws(HTTPError) {
    try self.init(address, timeout: timeout, replyLimit: 16 << 20)
  }

  /// Creates a transport that accepts replies up to the limit, in bytes.
  init(_ address: String, timeout: Duration, replyLimit: Int) throws(HTTPError) {
    self.address = try HTTPAddress(address)
    client = HTTPClient(timeout: timeout, limit: replyLimit)
  }

  /// Sends the request and returns the reply.
  ///
  /// A batch is sent in requests of at most 100 calls, one after the other. If a later one of them
  /// fails, its calls, and those after them, have the error in the reply.
  ///
  /// - Throws: ``DecidingAgents/AgentError``: `network` when the service cannot be reached or is
  ///   overloaded, `timeout`, `invalidReply` when the response is not a valid reply, `notRecorded`
  ///   when the log cannot be written, and `service` with the reason for any other refusal. Of
  ///   these, `service` alone is not worth a retry.
  public func send(_ request: AgentRequest) async throws -> AgentReply {
    switch request.body {
    case .call(let call): return try await reply(to: request, try HTTPCall(call))
    case .batch(let calls): return .batch(try await results(of: calls, in: request))
    }
  }

  private func results(
    of calls: [AgentCall], in request: AgentRequest
  ) async throws(AgentError) -> [Result<AgentAnswer, AgentError>] {
    var results: [Result<AgentAnswer, AgentError>] = []
    repeat {
      let part = Array(calls[results.count...].prefix(Self.batchLimit))
      do throws(AgentError) {
        results += try await self.results(ofPart: part, in: request)
      } catch {
        if results.isEmpty { throw error }
        return results + calls[results.count...].map { _ in .failure(error) }
      }
    } while results.count < calls.count
    return results
  }

  /// Returns the results of a part of a batch. A call that cannot be sent has its error, and the
  /// others are sent.
  private func results(
    ofPart calls: [AgentCall], in request: AgentRequest
  ) async throws(AgentError) -> [Result<AgentAnswer, AgentError>] {
    let items = calls.map { call in
      Result { () throws(AgentError) in try HTTPCall.item(call) }
    }
    var request = request
    request.body = .batch(zip(calls, items).filter { (try? $0.1.get()) != nil }.map(\.0))
    let call = HTTPCall(batch: items.compactMap { try? $0.get() })
    guard case .batch(let results) = try await reply(to: request, call) else {
      throw .invalidReply("the answer is not one to a batch")
    }
    var rest = results[...]
    return items.map { item in
      item.flatMap { _ in rest.popFirst() ?? .failure(.invalidReply("the batch lacks an answer")) }
    }
  }

  private func reply(
    to request: AgentRequest, _ call: HTTPCall
  ) async throws(AgentError) -> AgentReply {
    guard PathSegment.isSegment(request.owner) else {
      throw .service("unknown owner \"\(request.owner)\"")
    }
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try await client.response(to: message(request, call))
    } catch {
      throw AgentError(error)
    }
    return try ReceivedReply(response).reply(to: request)
  }

  private func message(_ request: AgentRequest, _ call: HTTPCall) -> HTTPRequest {
    var fields = [
      (name: "Accept", value: "application/json"),
      (name: "Content-Type", value: "application/json"),
    ]
    if !request.apiKey.isEmpty { fields.append((name: "x-mpath-apikey", value: request.apiKey)) }
    var body: [UInt8] = []
    call.body.write(to: &body)
    return HTTPRequest(
      method: "POST",
      address: address.appending([request.owner] + call.segments, query: call.query),
      fields: fields, body: body)
  }
}
