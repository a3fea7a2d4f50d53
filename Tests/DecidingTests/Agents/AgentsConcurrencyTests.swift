import Bandits
import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("Concurrency of agents")
struct AgentsConcurrencyTests {
  @Test("the log tells the order in which things became known")
  func threads() throws {
    let host = try AgentsHost(AgentDefinition("x", policy: "epsilon-greedy"))
    let agents = host.agents
    onThreads(8) { number in
      var calls = AgentsRandomCalls(seed: UInt64(number))
      for _ in 0..<100 { calls.call(agents) }
    }
    try host.expectRebuilt()
    #expect(host.world.events.count > 100)
  }

  @Test("a session that many ask for at once has one choice")
  func oneChoice() async throws {
    let host = try AgentsHost()
    let agents = host.agents
    let codes = try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<32 {
        group.addTask {
          let requests = [DecisionRequest.of(["a", "b", "c", "d"])]
          guard number % 2 == 0 else {
            return try agents.decide(requests).flatMap { try $0.get().decisions.map(\.code) }
          }
          return try agents.decide(requests[0]).decisions.map(\.code)
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    #expect(codes.count == 1 && host.world.events.count == 1)
    try host.expectRebuilt()
  }

  @Test("every goal counts once, and every reward is credited")
  func goals() async throws {
    let host = try AgentsHost(AgentDefinition("x", goals: [AgentGoal("g", limit: 10)]))
    try host.decide(["a"])
    let agents = host.agents
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask { _ = try? agents.goal(GoalRequest(agent: "x", session: "s-1", goal: "g")) }
      }
    }
    #expect(host.goals.count { $0.status == .accepted } == 10)
    #expect(agents.learned(by: "x")["a"]?.sum == 10)
    try host.expectRebuilt()
  }
}
