import DecidingCore
import DecidingOverHTTP
import Events
import TestSupport
import Testing
import Threads

@testable import DecidingAgents

/// How a client of a test reaches its agents.
enum Route: String, CaseIterable, Sendable {
  /// In the same process.
  case local
  /// As JSON text that has all that is known.
  case text
  /// In the same process, but the service begins anew from the log before each request.
  case restarted
  /// Over HTTP.
  case http

  /// Whether an error comes as what it says.
  var isText: Bool { self == .text || self == .http }
}

/// A service and a client of it, in a small world.
struct ClientHost {
  let world: ManualWorld
  let route: Route
  let settings: AgentSettings
  private let live: Agents
  private let server: TestHTTPServer?
  private let remote: HTTPAgents?

  init(_ route: Route = .local, settings: AgentSettings = AgentSettings(), seed: UInt64 = 1) {
    world = ManualWorld(seed: seed)
    self.route = route
    self.settings = settings
    live = Agents(owner: "acme", settings: settings, surroundings: world.surroundings)
    (server, remote) = route == .http ? Self.server(of: live) : (nil, nil)
  }

  private static func server(of agents: Agents) -> (TestHTTPServer?, HTTPAgents?) {
    let service = AgentsOverHTTP(agents: agents)
    do {
      let server = try TestHTTPServer { service.respond(to: $0) }
      return (server, try HTTPAgents(server.address, timeout: .seconds(300)))
    } catch {
      Issue.record("\(error)")
      return (nil, nil)
    }
  }

  /// The service.
  var agents: Agents { route == .restarted ? rebuilt : live }

  /// A service made from the log alone.
  private var rebuilt: Agents {
    Agents(
      owner: "acme", settings: settings, surroundings: world.surroundings, replaying: world.events)
  }

  var transport: any AgentTransport {
    switch route {
    case .local: LocalAgents(live)
    case .text: TextTransport(service: LocalAgents(live))
    case .restarted: RestartingTransport(host: self)
    case .http:
      remote.map { ServedAgents(agents: $0, server: server) as any AgentTransport }
        ?? ClosureTransport.offline
    }
  }

  func client(_ session: String? = "s-1", overallDefault: String? = nil) -> AgentClient {
    AgentClient(
      owner: "acme", transport: AnyTransport(transport: transport), session: session,
      overallDefault: overallDefault, surroundings: world.surroundings)
  }

  /// An agent as the session sees it.
  func agent(_ code: String = "shop", session: String? = "s-1") -> Agent {
    client(session).agent(code)
  }

  /// What a refusal is after it came over this route.
  func refusal(_ error: AgentError) -> AgentError {
    route.isText ? .service(error.description) : error
  }

  /// Checks that the log says what the service knows.
  func expectRebuilt(_ id: String) {
    #expect(rebuilt.recorder.read { $0 } == agents.recorder.read { $0 }, "\(id)")
  }

  var decisions: [Decision] {
    world.events.compactMap {
      if case .decision(let decision) = $0.payload { decision } else { nil }
    }
  }

  var goals: [Goal] {
    world.events.compactMap { if case .goal(let goal) = $0.payload { goal } else { nil } }
  }
}

/// Agents over HTTP, and their server, which is there as long as they are.
private struct ServedAgents: AgentTransport {
  let agents: HTTPAgents
  let server: TestHTTPServer?

  func send(_ request: AgentRequest) async throws -> AgentReply {
    let reply = try await agents.send(request)
    withExtendedLifetime(server) {}
    return reply
  }
}

/// Any transport as one, whose kind a test chooses.
private struct AnyTransport: AgentTransport {
  let transport: any AgentTransport

  var answersAtOnce: Bool { transport.answersAtOnce }

  func send(_ request: AgentRequest) async throws -> AgentReply {
    try await transport.send(request)
  }
}

private struct RestartingTransport: AgentTransport {
  let host: ClientHost

  var answersAtOnce: Bool { true }

  func send(_ request: AgentRequest) async throws -> AgentReply {
    try LocalAgents(host.agents).reply(to: request)
  }
}
