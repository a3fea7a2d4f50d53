import Deciding
import Events
import Threads

/// A transport that does what a test says.
struct ClosureTransport: AgentTransport {
  let answer: @Sendable (AgentRequest) async throws -> AgentReply

  func send(_ request: AgentRequest) async throws -> AgentReply { try await answer(request) }

  /// Nobody there.
  static let offline = ClosureTransport { _ in throw AgentError.network("no route to the host") }
}

/// A transport over text: what leaves the client is JSON, what comes back is JSON, and nothing else is shared with
/// the service on the other side.
struct TextTransport: AgentTransport {
  let service: any AgentTransport
  /// Whether replies have all that is known, or what a plain answer has.
  var isExplained = true
  let log = Monitor<[String]>([])

  func send(_ request: AgentRequest) async throws -> AgentReply {
    let sent = try JSONValue(encoding: request).description
    let received = await serve(sent)
    log.withLock { $0 += [sent, received] }
    return try AgentReply(parsing: received, to: request)
  }

  private func serve(_ text: String) async -> String {
    do {
      let request: AgentRequest = try JSONValue(parsing: text).decoded()
      return try await service.send(request).json(explained: isExplained).description
    } catch let error as AgentError {
      return error.json.description
    } catch {
      return "{\"err\":\"bad request\"}"
    }
  }
}

/// Holds back whoever waits until it is opened, cancelled or not.
final class Gate: Sendable {
  private struct Content: Sendable {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var passed = 0
  }

  private let content = Monitor(Content())

  /// How many wait.
  var waitingCount: Int { content.withLock { $0.waiting.count } }

  func wait() async {
    await withCheckedContinuation { waiter in
      let isOpen = content.withLock { content in
        if !content.isOpen { content.waiting.append(waiter) }
        return content.isOpen
      }
      if isOpen { waiter.resume() }
    }
  }

  func open() {
    let waiting = content.withLock { content in
      content.isOpen = true
      defer { content.waiting = [] }
      return content.waiting
    }
    for waiter in waiting { waiter.resume() }
  }
}

/// Lets other tasks run until something holds.
func eventually(_ holds: () -> Bool) async {
  while !holds() { await Task.yield() }
}

extension AgentReply {
  /// A reply to a call for one choice.
  static func choice(_ code: String, session: String = "s-1") -> AgentReply {
    .answer(
      .decision(
        DecisionReply(
          agent: "shop", session: session, point: "point-1",
          decisions: [AgentDecision(slot: "decision-1", code: code, reason: .random)])))
  }
}
