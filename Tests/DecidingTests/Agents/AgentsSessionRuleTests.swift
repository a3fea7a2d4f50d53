import Bandits
import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("What a session keeps, and when it ends")
struct AgentsSessionRuleTests {
  @Test("CO-23: a kept choice that is not among the choices now is drawn anew and replaced")
  func replaced() throws {
    let host = try AgentsHost()
    #expect(try host.decide(["a"]).code == "a")
    let anew = try host.decide(["b", "c"])
    #expect(anew.reason == .random)
    #expect(try host.decide(["a", "b", "c"]).code == anew.code)
    #expect(try host.decide(["a", "b", "c"], excluding: [anew.code]).reason == .random)
  }

  @Test("CO-23: choices are kept by agent, point and slot")
  func apart() throws {
    let host = try AgentsHost()
    try host.decide()
    #expect(try host.decide(agent: "y").reason == .random)
    #expect(try host.decide(point: "p").reason == .random)
    #expect(try host.decide(session: "s-2").reason == .random)
    let other = DecisionRequest(
      agent: "x", session: "s-1", slots: [SlotChoices(slot: "color", choices: ["a", "b"])])
    #expect(try host.decide(other).decisions.first?.reason == .random)
    #expect(try host.decide().reason == .sticky)
  }

  @Test("CO-24: an agent that is not sticky draws every time")
  func notSticky() throws {
    let host = try AgentsHost(AgentDefinition("x", isSticky: false))
    let codes = try (0..<30).map { _ in
      let decision = try host.decide()
      #expect(decision.reason == .random && decision.propensity == 0.5)
      return decision.code
    }
    #expect(Set(codes) == ["a", "b"])
    #expect(host.decisions.count == 30)
  }

  @Test(
    "CO-28: what is provisional is held until an ordinary call confirms it",
    arguments: [true, false])
  func provisional(isSticky: Bool) throws {
    let host = try AgentsHost(AgentDefinition("x", goals: [AgentGoal("h")], isSticky: isSticky))
    let first = try host.decide(status: .provisional)
    #expect(first.status == .provisional && first.reason == .random)
    #expect(host.agents.learned(by: "x").isEmpty)
    #expect(try host.goal().refusal == .notConfirmed)
    let again = try host.decide(status: .provisional)
    #expect(again.code == first.code && again.status == .provisional && again.reason == .sticky)
    let confirmed = try host.decide()
    #expect(confirmed.code == first.code && confirmed.reason == .sticky)
    #expect(confirmed.status == .confirmed && confirmed.propensity == 0.5)
    #expect(host.agents.learned(by: "x")[first.code]?.decisions == 1)
    #expect(try host.goal().reward == 1)
    guard isSticky else { return }
    let late = try host.decide(status: .provisional)
    #expect(late.code == first.code && late.status == .confirmed)
    #expect(
      host.world.events.map(\.kind)
        == [.configurationApplied, .decision, .goal, .decisionConfirmed, .goal])
  }

  @Test("CO-28: a confirmed decision earns until the one held in its place counts")
  func earlierEarns() throws {
    let host = try AgentsHost()
    try host.decide(["a"])
    #expect(try host.decide(["b"], status: .provisional).status == .provisional)
    #expect(try host.goal("g", 2).accepted)
    #expect(host.agents.learned(by: "x")["a"]?.sum == 2)
    #expect(host.agents.learned(by: "x")["b"] == nil)
    #expect(try host.decide(["b"]).status == .confirmed)
    #expect(try host.goal("h", 3).accepted)
    #expect(host.agents.learned(by: "x")["b"]?.sum == 3)
    #expect(host.agents.learned(by: "x")["a"]?.sum == 2)
  }

  @Test("CO-47: a session ends when nothing has happened for the time-out, to the microsecond")
  func timeout() throws {
    let host = try AgentsHost()
    try host.decide()
    host.world.time.advance(microseconds: 1_081_800 * 1_000_000 - 1)
    #expect(try host.decide().reason == .sticky)
    host.world.time.advance(microseconds: 1_081_800 * 1_000_000)
    let anew = try host.decide(
      DecisionRequest(agent: "x", session: "s-1", slots: [SlotChoices(choices: ["a", "b"])]))
    #expect(anew.decisions.first?.reason == .random && anew.isNewSession)
    #expect(host.expiries == ["timeout"])
    #expect(host.decisions.map(\.status) == [.confirmed, .repeated, .confirmed])
  }

  @Test("CO-47: an accepted goal keeps a session alive, a refused one does not")
  func keptAlive() throws {
    let host = try AgentsHost(
      AgentDefinition("x", goals: [AgentGoal("g", max: 1)], timeout: 10, visitLength: 1_000))
    try host.decide()
    host.world.time.advance(seconds: 9)
    #expect(try host.goal("g").accepted)
    host.world.time.advance(seconds: 9)
    #expect(try host.goal("g", 5).refusal == .aboveMax)
    host.world.time.advance(seconds: 1)
    #expect(try host.goal("h").refusal == .expired)
    #expect(host.expiries == ["timeout"])
    #expect(try host.goal("h").refusal == .expired)
    #expect(host.expiries.count == 1)
  }

  @Test(
    "CO-47: a sticky answer is recorded again once a visit has passed, and then counts as the last")
  func visits() throws {
    let host = try AgentsHost()
    let first = try host.decide(segment: "north")
    host.world.time.advance(seconds: 14_399)
    try host.decide()
    #expect(host.world.events.count == 1)
    host.world.time.advance(seconds: 1)
    #expect(try host.decide().status == .confirmed)
    try host.decide()
    #expect(host.decisions.map(\.status) == [.confirmed, .repeated])
    #expect(host.decisions.map(\.propensity) == [0.5, 0.5])
    #expect(host.decisions[1].variant.rawValue == first.code)
    #expect(host.decisions[1].reason == "sticky" && host.decisions[1].policy == "uniform")
    host.world.time.advance(seconds: 14_399)
    try host.decide()
    #expect(host.world.events.count == 2)
  }

  @Test("CO-48: expiry forgets choices, goal counts and eligibility, of that session and agent")
  func expire() throws {
    let host = try AgentsHost()
    try host.decide()
    try host.decide(session: "s-2")
    try host.decide(agent: "y")
    #expect(try host.goal().accepted)
    try host.agents.expire(session: "s-1", agent: "x")
    try host.expectRebuilt()
    #expect(host.expiries == ["requested"])
    #expect(try host.goal().refusal == .expired)
    #expect(try host.decide(session: "s-2").reason == .sticky)
    #expect(try host.decide(agent: "y").reason == .sticky)
    let anew = try host.decide(.of())
    #expect(anew.isNewSession && anew.policy == .random)
    #expect(try host.goal().accepted)
  }

  @Test("CO-48: expiring a session that does not exist does nothing")
  func expireNothing() throws {
    let host = try AgentsHost()
    try host.agents.expire(session: "s-1", agent: "x")
    try host.decide()
    try host.agents.expire(session: "s-2", agent: "x")
    try host.agents.expire(session: "s-1", agent: "x")
    try host.agents.expire(session: "s-1", agent: "x")
    #expect(host.expiries.count == 1)
  }

  @Test("a session without an id gets a fresh one, which keeps its choice")
  func freshSession() throws {
    let host = try AgentsHost()
    let reply = try host.decide(.of(session: nil))
    #expect(!reply.session.isEmpty && reply.isNewSession)
    #expect(host.world.events.last?.unit.rawValue == reply.session)
    let again = try host.decide(.of(session: reply.session))
    #expect(
      again.policy == .sticky && again[SlotID.standard.rawValue]?.code == reply.decisions[0].code)
    #expect(!again.isNewSession)
  }

  @Test("a clock that goes backwards ends no session")
  func backwards() throws {
    let host = try AgentsHost()
    host.world.time.advance(seconds: 1e7)
    try host.decide()
    host.world.time.advance(seconds: -1e7)
    #expect(try host.decide().reason == .sticky)
    #expect(host.world.events.count == 1)
  }
}
