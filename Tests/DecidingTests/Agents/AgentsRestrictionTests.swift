import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("Restrictions and overrides of agents")
struct AgentsRestrictionTests {
  @Test("G-18: a held out session gets the default everywhere, recorded once")
  func holdout() throws {
    let settings = AgentSettings(
      restrictions: Restrictions(holdout: Holdout(name: "global", share: 0.5)))
    let host = try AgentsHost(settings: settings)
    let holdout = try #require(settings.restrictions.holdout)
    for number in 0..<40 {
      let session = "s\(number)"
      for agent in ["x", "y", "x"] {
        let decision = try host.agents.decide(.of(session: session, agent: agent)).decisions[0]
        guard holdout.holds(UnitID(session)) else {
          #expect(decision.status == .confirmed)
          continue
        }
        #expect(decision.code == "a" && decision.reason == .holdout)
        #expect(decision.status == .excluded && decision.propensity == 1)
      }
    }
    #expect(host.decisions.count == 80)
    try host.expectRebuilt()
  }

  @Test("G-19: of an exclusion group one agent may decide for a session")
  func group() throws {
    let group = ExclusionGroup(name: "banner", members: ["x", "y", "z"])
    let host = try AgentsHost(
      settings: AgentSettings(restrictions: Restrictions(groups: [group])))
    for number in 0..<30 {
      let session = "s\(number)"
      for agent in ["x", "y", "z", "w"] {
        let decision = try host.agents.decide(.of(session: session, agent: agent)).decisions[0]
        let isMember = agent == "w" || group.member(for: UnitID(session)) == ExperimentID(agent)
        #expect(decision.reason == (isMember ? .random : .exclusionGroup))
      }
    }
    try host.expectRebuilt()
  }

  @Test("G-21: outside its schedule an agent gives the default, and kept choices stay")
  func schedule() throws {
    let schedule = Schedule(
      from: Timestamp(microseconds: 10_000_000), to: Timestamp(microseconds: 20_000_000))
    let host = try AgentsHost(AgentDefinition("x", schedule: schedule))
    #expect(try host.decide(session: "s-0").reason == .outsideSchedule)
    host.world.time.advance(seconds: 10)
    let kept = try host.decide()
    #expect(kept.reason == .random)
    host.world.time.advance(seconds: 10)
    #expect(try host.decide(["b", "a"]).code == "b")
    #expect(try host.decide(["b", "a"]).reason == .outsideSchedule)
    #expect(host.decisions.map(\.status) == [.excluded, .confirmed, .excluded])
    try host.agents.define(AgentDefinition("x"))
    #expect(try host.decide().code == kept.code)
  }

  @Test("G-20: an override comes before everything but paused and stopped, and is recorded once")
  func override() throws {
    let host = try AgentsHost(
      AgentDefinition("x", eligibleShare: 0, rules: [AgentRule("r", then: .fixed("a", slot: nil))]),
      settings: AgentSettings(
        restrictions: Restrictions(holdout: Holdout(name: "all", share: 1))))
    try host.agents.force("b", for: "s-1", in: "x")
    try host.agents.force("b", for: "s-1", in: "x")
    let count = host.world.events.count
    for _ in 0..<3 {
      let forced = try host.decide()
      #expect(forced.code == "b" && forced.reason == .forced && forced.propensity == 1)
      #expect(forced.status == .confirmed && forced.policy == .fixed)
    }
    #expect(host.world.events.count == count + 1)
    #expect(host.decisions.first?.reason == "forced" && host.decisions.first?.propensity == 1)
    #expect(host.agents.learned(by: "x").isEmpty, "nothing is learned from it")
    #expect(try host.goal().accepted)
    #expect(host.agents.learned(by: "x").isEmpty)
    try host.agents.pause("x", on: "a")
    #expect(try host.decide().reason == .paused)
    try host.agents.resume("x")
    #expect(try host.decide(session: "s-2").reason == .holdout)
  }

  @Test("G-20: when an override ends the session is decided anew")
  func unforce() throws {
    let host = try AgentsHost()
    try host.decide()
    try host.agents.force("b", for: "s-1", in: "x")
    try host.decide()
    try host.agents.unforce(session: "s-1", in: "x")
    try host.agents.unforce(session: "s-1", in: "x")
    #expect(try host.decide().reason == .random)
    #expect(host.world.events.map(\.kind).filter { $0 == .configurationApplied }.count == 2)
    #expect(
      host.world.events.filter { $0.kind == .configurationApplied }.map(\.unit) == ["s-1", "s-1"])
  }

  @Test("G-20: an override to a choice that is not there is ignored with a warning")
  func missing() throws {
    let host = try AgentsHost()
    try host.agents.force("c", for: "s-1", in: "x")
    let reply = try host.decide(.of())
    #expect(reply.policy == .random)
    #expect(reply.warnings.count == 1 && reply.warnings[0].contains("\"c\""))
    let two = try host.decide(
      DecisionRequest(
        agent: "x", session: "s-1", point: "p",
        slots: [
          SlotChoices(slot: "u", choices: ["a"]), SlotChoices(slot: "v", choices: ["b", "c"]),
        ]))
    #expect(two.decisions.map(\.reason) == [.random, .forced] && two.warnings.isEmpty)
  }

  @Test("a provisional override is confirmed by the next ordinary call")
  func provisional() throws {
    let host = try AgentsHost()
    try host.agents.force("b", for: "s-1", in: "x")
    #expect(try host.decide(status: .provisional).status == .provisional)
    let confirmed = try host.decide()
    #expect(confirmed.status == .confirmed && confirmed.reason == .forced)
    #expect(host.world.events.last?.kind == .decisionConfirmed)
    #expect(host.agents.learned(by: "x").isEmpty)
  }

  @Test("CO-32: a session is let in once, or left out until it expires")
  func eligibility() throws {
    let host = try AgentsHost(AgentDefinition("x", eligibleShare: 0.5))
    var out: String?
    for number in 0..<20 {
      let session = "s\(number)"
      let first = try host.decide(session: session)
      for point in ["p", "q"] {
        let later = try host.decide(session: session, point: point)
        #expect(later.status == first.status)
      }
      if first.status == .excluded {
        #expect(first.code == "a" && first.propensity == 0.5)
        out = session
      }
    }
    let session = try #require(out)
    let count = host.world.events.count
    try host.decide(session: session)
    #expect(host.world.events.count == count, "recorded once per point, slot and reason")
    try host.agents.define(AgentDefinition("x"))
    #expect(try host.decide(session: session).reason == .notEligible)
    try host.agents.expire(session: session, agent: "x")
    #expect(try host.decide(session: session).reason == .random)
  }

  @Test("a session that is left out is asked anew after the time-out")
  func leftOutTimeout() throws {
    let host = try AgentsHost(AgentDefinition("x", eligibleShare: 0, timeout: 10))
    try host.decide()
    try host.agents.define(AgentDefinition("x", timeout: 10))
    host.world.time.advance(seconds: 10)
    #expect(try host.decide().reason == .random)
    #expect(host.expiries == ["timeout"])
  }
}
