import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

/// A service in a small world, which checks after each step that its log says what it knows.
struct AgentsHost {
  let world: ManualWorld
  let agents: Agents
  let settings: AgentSettings

  init(
    _ definitions: AgentDefinition..., settings: AgentSettings = AgentSettings(), seed: UInt64 = 1,
    random: (any RandomNumberGenerator & Sendable)? = nil
  ) throws {
    world = ManualWorld(seed: seed, random: random)
    self.settings = settings
    agents = Agents(owner: "owner-1", settings: settings, surroundings: world.surroundings)
    for definition in definitions { try agents.define(definition) }
  }

  var state: AgentsState { agents.recorder.read { $0 } }

  /// A service made from the log alone.
  func rebuilt(settings: AgentSettings? = nil) -> Agents {
    Agents(
      owner: "owner-1", settings: settings ?? self.settings, surroundings: world.surroundings,
      replaying: world.events)
  }

  /// Checks that a replay of the log, and a snapshot, know the same.
  func expectRebuilt(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(rebuilt().recorder.read { $0 } == state, sourceLocation: sourceLocation)
    let restored = try Agents(
      owner: "owner-1", settings: settings, surroundings: world.surroundings,
      restoring: agents.snapshot())
    #expect(restored.recorder.read { $0 } == state, sourceLocation: sourceLocation)
    #expect(restored.snapshot() == agents.snapshot(), sourceLocation: sourceLocation)
  }

  /// Decides, and checks the log.
  @discardableResult
  func decide(_ request: DecisionRequest, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> DecisionReply
  {
    let reply = try agents.decide(request)
    try expectRebuilt(sourceLocation: sourceLocation)
    return reply
  }

  /// Decides between choices of the standard slot, and checks the log.
  @discardableResult
  func decide(
    _ choices: [String]? = ["a", "b"], session: String = "s-1", agent: String = "x",
    point: String? = nil, status: DecisionRequest.Status = .confirmed, allowed: [String]? = nil,
    excluding: [String] = [], segment: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> AgentDecision {
    let reply = try decide(
      .of(
        choices, session: session, agent: agent, point: point, status: status, allowed: allowed,
        excluding: excluding, segment: segment), sourceLocation: sourceLocation)
    return try #require(reply.decisions.first, sourceLocation: sourceLocation)
  }

  /// Reports a goal, and checks the log.
  @discardableResult
  func goal(
    _ goal: String? = nil, _ reward: Double? = nil, session: String = "s-1", agent: String? = "x",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> GoalReply {
    let reply = try agents.goal(
      GoalRequest(agent: agent, session: session, goal: goal, reward: reward))
    try expectRebuilt(sourceLocation: sourceLocation)
    return reply
  }

  /// The decisions in the log.
  var decisions: [Decision] {
    world.events.compactMap {
      if case .decision(let decision) = $0.payload { decision } else { nil }
    }
  }

  /// The goals in the log.
  var goals: [Goal] {
    world.events.compactMap { if case .goal(let goal) = $0.payload { goal } else { nil } }
  }

  /// The reasons of the expiries in the log.
  var expiries: [String?] {
    world.events.compactMap {
      if case .sessionExpired(let expired) = $0.payload { .some(expired.reason) } else { nil }
    }
  }
}

extension DecisionRequest {
  /// A request for the standard slot.
  static func of(
    _ choices: [String]? = ["a", "b"], session: String? = "s-1", agent: String = "x",
    point: String? = nil, status: DecisionRequest.Status = .confirmed, allowed: [String]? = nil,
    excluding: [String] = [], segment: String? = nil
  ) -> DecisionRequest {
    DecisionRequest(
      agent: agent, session: session, point: point, slots: [SlotChoices(choices: choices)],
      status: status, allowed: allowed, excluding: excluding, segment: segment)
  }
}

/// The error that the closure throws; nil when it throws none.
func agentError(_ body: () throws(AgentError) -> Void) -> AgentError? {
  do throws(AgentError) {
    try body()
    return nil
  } catch {
    return error
  }
}
