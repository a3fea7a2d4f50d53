import DecidingAgents
import DecidingCore
import Events
import TestSupport
import Testing
import Threads

@testable import DecidingOverHTTP

/// What an agents' client makes of a service that does not answer as it should.
@Suite("Failures of agents over HTTP", .timeLimit(.minutes(5)))
struct HTTPAgentsFailureTests {
  private static let request = AgentRequest(
    owner: "acme",
    body: .call(
      .decision(
        DecisionRequest(agent: "shop", session: "s-1", slots: [SlotChoices(choices: ["a", "b"])]))))

  private static let reply = #"{"session":"s-1","decision":"b"}"#

  /// The error of a request that is answered so.
  private static func error(
    _ response: TestHTTPServer.Response, timeout: Duration = .seconds(60), limit: Int = 1 << 20
  ) async throws -> AgentError? {
    let server = try TestHTTPServer { _ in response }
    let transport = try HTTPAgents(server.address, timeout: timeout, replyLimit: limit)
    do {
      _ = try await transport.send(request)
      return nil
    } catch {
      return try #require(error as? AgentError)
    }
  }

  @Test("a refused connection is a network error")
  func refused() async throws {
    let server = try TestHTTPServer { _ in .init(text: Self.reply) }
    let address = server.address
    server.stop()
    let transport = try HTTPAgents(address)
    let client = AgentClient(
      owner: "acme", transport: transport, session: "s-1", timeout: .seconds(600))
    let choice = await client.agent("shop").decision(choices: "a,b")
    #expect(choice.code == "a" && choice.reason == .offline && choice.isFallback)
    guard case .network = choice.error else {
      Issue.record("\(String(describing: choice.error))")
      return
    }
    #expect(await client.agent("shop").goal().isRetryable)
  }

  @Test("a service that does not answer in time is a timeout, of the transport or of the client")
  func timeouts() async throws {
    let isOver = Monitor(false)
    let server = try TestHTTPServer { _ in
      _ = isOver.wait { $0 ? true : nil }
      return .init(text: Self.reply)
    }
    let short = try HTTPAgents(server.address, timeout: .milliseconds(50))
    await #expect(throws: AgentError.timeout(.milliseconds(50))) {
      try await short.send(Self.request)
    }
    let client = AgentClient(
      owner: "acme", transport: try HTTPAgents(server.address, timeout: .seconds(60)),
      session: "s-1", timeout: .milliseconds(50))
    let choice = await client.agent("shop").decision(choices: "a,b", default: "Z")
    #expect(choice.code == "Z" && choice.reason == .timeout)
    isOver.withLock { content in
      content = true
      isOver.announce()
    }
  }

  @Test("a reply that trickles in does not extend the timeout")
  func trickle() async throws {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n{"
    let error = try await Self.error(.stalled(head), timeout: .milliseconds(100))
    #expect(error == .timeout(.milliseconds(100)))
  }

  @Test("a cancelled task goes on at once, and its request is given up")
  func cancelled() async throws {
    let server = try TestHTTPServer { _ in .stalled("") }
    let transport = try HTTPAgents(server.address, timeout: .seconds(600))
    let caller = Task { try await transport.send(Self.request) }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    caller.cancel()
    let result = await caller.result
    #expect(throws: AgentError.network("the task was cancelled")) { try result.get() }
    // The client hangs up, which ends the connection of the server.
    while server.connectionCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
    let late = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await transport.send(Self.request)
    }
    await #expect(throws: AgentError.network("the task was cancelled")) { try await late.value }
    #expect(server.requests.count == 1)
  }

  @Test("anything but JSON is an invalid reply")
  func garbage() async throws {
    let replies: [TestHTTPServer.Response] = [
      .init(text: "<html>"), .init(text: ""), .init(text: "[]"), .init(text: "{}"),
      .init(text: #"{"session":"s-1"}"#), .init(body: [0xFF, 0xFE]), .init(204),
      .init(text: String(repeating: "[", count: 100_000)),
    ]
    for reply in replies {
      guard case .invalidReply = try await Self.error(reply) else {
        Issue.record("\(reply)")
        continue
      }
    }
    guard case .network = try await Self.error(.raw("SSH-2.0-OpenSSH_9.9\r\n")) else {
      Issue.record("not HTTP")
      return
    }
  }

  @Test(
    "statuses without a reason are told apart by whether a retry can help",
    arguments: [
      (400, AgentError.service("HTTP status 400")),
      (401, .service("HTTP status 401: the API key is missing, wrong, or of another scope")),
      (403, .service("HTTP status 403: the API key is missing, wrong, or of another scope")),
      (404, .service("HTTP status 404: there is no such route; check the address")),
      (405, .service("HTTP status 405")), (408, .network("HTTP status 408; retry after 7 s")),
      (413, .service("HTTP status 413")), (429, .network("HTTP status 429; retry after 7 s")),
      (500, .network("HTTP status 500; retry after 7 s")),
      (503, .network("HTTP status 503; retry after 7 s")), (304, .invalidReply("HTTP status 304")),
    ])
  func statuses(status: Int, expected: AgentError) async throws {
    for body in ["", "<html>", "{}"] {
      let reply = TestHTTPServer.Response(
        status, fields: [(name: "Retry-After", value: "7")], text: body)
      #expect(try await Self.error(reply) == expected)
    }
    #expect(expected.isRetryable == [408, 429, 500, 503, 304].contains(status))
  }

  @Test("a reason in the body is passed on, whatever the status")
  func reasons() async throws {
    let body = #"{"err":"unknown agent \"x\"","code":"unknown-agent"}"#
    for status in [200, 400, 401, 404] {
      let error = try await Self.error(.init(status, text: body))
      #expect(error == .service(#"unknown agent "x""#))
    }
    let fields = [(name: "Retry-After", value: "5")]
    let full = try await Self.error(
      .init(503, fields: fields, text: #"{"err":"disk full","code":"not-recorded"}"#))
    #expect(full == .notRecorded("disk full; retry after 5 s") && full?.isRetryable == true)
    let busy = try await Self.error(
      .init(503, fields: fields, text: #"{"err":"too much to do","code":"overloaded"}"#))
    #expect(busy == .network("too much to do; retry after 5 s"))
    let date = [(name: "Retry-After", value: "Wed, 21 Oct 2015 07:28:00 GMT")]
    #expect(
      try await Self.error(.init(503, fields: date))
        == .network("HTTP status 503; retry after Wed, 21 Oct 2015 07:28:00 GMT"))
  }

  @Test(
    "a challenge to log in is not waited on", arguments: ["Basic", "Bearer", "Digest nonce=a,"])
  func challenged(scheme: String) async throws {
    let fields = [(name: "WWW-Authenticate", value: scheme + " realm=\"agents\"")]
    let body = #"{"err":"no such key","code":"invalid-key"}"#
    #expect(try await Self.error(.init(401, fields: fields, text: body)) == .service("no such key"))
  }

  @Test("a body that ends early is a network error, never half an answer")
  func truncated() async throws {
    let size = Self.reply.utf8.count + 10
    let raw = "HTTP/1.1 200 OK\r\ncontent-length: \(size)\r\n\r\n\(Self.reply)"
    guard case .network = try await Self.error(.raw(raw)) else {
      Issue.record("taken for complete")
      return
    }
  }

  @Test(
    "a redirection is not followed, since the key would go along",
    arguments: [301, 302, 303, 307, 308])
  func redirected(status: Int) async throws {
    let elsewhere = try TestHTTPServer { _ in .init(text: Self.reply) }
    let error = try await Self.error(
      .init(status, fields: [(name: "Location", value: elsewhere.address + "/x")]))
    guard case .invalidReply(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains(elsewhere.address + "/x") && reason.contains("\(status)"))
    #expect(elsewhere.requests.isEmpty)
  }

  @Test("a reply beyond the limit is not kept in memory", arguments: [true, false])
  func huge(isAnnounced: Bool) async throws {
    let body = Self.reply + String(repeating: " ", count: 100_000)
    let reply =
      isAnnounced
      ? TestHTTPServer.Response(text: body) : .raw("HTTP/1.1 200 OK\r\n\r\n" + body)
    #expect(try await Self.error(reply, limit: 200_000) == nil)
    guard case .invalidReply(let reason) = try await Self.error(reply, limit: 50_000) else {
      Issue.record("kept")
      return
    }
    #expect(reason.contains("50000 bytes"))
  }

  @Test(
    "an address that is not one of HTTP is refused",
    arguments: [
      "", "acme", "ftp://h", "http://", "http://h?a=b", "http://h#a", "http://a b", "file:///etc",
      "http://user:secret@h", "//h",
    ])
  func addresses(text: String) {
    let error = #expect(throws: HTTPError.self) { try HTTPAgents(text) }
    #expect(error?.description.contains("secret") == false)
  }
}
