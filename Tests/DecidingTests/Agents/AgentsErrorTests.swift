import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("Codes of agents, and what errors say")
struct AgentsErrorTests {
  @Test(
    "CO-17, CO-18: codes are letters, digits, _ and -, up to 50 of them",
    arguments: [
      ("ios-example-agent", nil), ("A_1-b", nil), ("0", nil), ("", "is empty"),
      ("a b", "has a blank"), ("a.b", "has a \".\""), ("é", "has a \"é\""), ("a/b", "has a \"/\""),
      ("a,b", "has a \",\""), ("a\n", "use letters, digits, _ and -"),
    ] as [(String, String?)])
  func codes(code: String, complaint: String?) {
    for role: AgentCodeRole in [.agent, .point, .slot, .choice, .goal] {
      let error = agentError { () throws(AgentError) in try AgentCode.check(code, role: role) }
      guard let complaint else {
        #expect(error == nil)
        continue
      }
      #expect(error == .invalidCode(code, role: role))
      #expect(error?.description.contains(complaint) == true)
      #expect(error?.description.contains(role.rawValue) == true)
    }
  }

  @Test("CO-18: 50 characters are good with a warning from 25 on, 51 are too many")
  func lengths() throws {
    func code(_ count: Int) -> String { String(repeating: "c", count: count) }
    let host = try AgentsHost()
    #expect(try host.decide(.of([code(24)])).warnings.isEmpty)
    let reply = try host.decide(
      DecisionRequest(
        agent: code(25), session: "s-1", point: code(26),
        slots: [SlotChoices(slot: code(27), choices: [code(50)])]))
    #expect(reply.warnings.count == 4)
    #expect(reply.warnings[3].contains("50 characters"))
    #expect(
      agentError { () throws(AgentError) in _ = try host.agents.decide(.of([code(51)])) }
        == .codeTooLong(code(51), limit: 50))
  }

  @Test("CO-17: every code of a request is checked before anything else happens")
  func requests() throws {
    let host = try AgentsHost(settings: AgentSettings(createsUnknown: false))
    func refuses(_ request: DecisionRequest, _ code: String, _ role: AgentCodeRole) {
      #expect(
        agentError { () throws(AgentError) in _ = try host.agents.decide(request) }
          == .invalidCode(code, role: role))
    }
    refuses(.of(agent: "a b"), "a b", .agent)
    refuses(.of(point: ""), "", .point)
    refuses(.of(["a", ""]), "", .choice)
    refuses(.of(session: ""), "", .session)
    refuses(.of(allowed: ["é"]), "é", .choice)
    refuses(.of(excluding: [" "]), " ", .choice)
    refuses(
      DecisionRequest(agent: "x", slots: [SlotChoices(slot: "a.b", choices: ["a"])]), "a.b", .slot)
    #expect(
      agentError { () throws(AgentError) in _ = try host.agents.decide(.of(agent: "-")) }
        == .reservedCode("-"))
    for (request, code, role) in [
      (GoalRequest(agent: "a b", session: "s"), "a b", AgentCodeRole.agent),
      (GoalRequest(agent: "x", session: ""), "", .session),
      (GoalRequest(agent: nil, session: "s", goal: ""), "", .goal),
    ] {
      #expect(
        agentError { () throws(AgentError) in _ = try host.agents.goal(request) }
          == .invalidCode(code, role: role))
    }
    #expect(
      agentError { () throws(AgentError) in try host.agents.expire(session: "", agent: "x") }
        == .invalidCode("", role: .session))
    #expect(
      agentError { () throws(AgentError) in try host.agents.pause("x", on: ["a b": "c"]) }
        == .invalidCode("a b", role: .slot))
    #expect(
      agentError { () throws(AgentError) in try host.agents.force("b c", for: "s", in: "x") }
        == .invalidCode("b c", role: .choice))
    #expect(host.world.events.isEmpty)
  }

  @Test("every error says what is wrong, where, how to fix it, and whether to retry")
  func messages() {
    let errors: [(AgentError, String, Bool, [String])] = [
      (
        .invalidCode("a b", role: .goal), "invalid-code", false,
        ["goal code \"a b\"", "use letters"]
      ),
      (
        .codeTooLong("ccc", limit: 2), "code-too-long", false, ["ccc", "3 characters", "at most 2"]
      ),
      (.reservedCode("-"), "reserved-code", false, ["\"-\"", "another one"]),
      (.unknownAgent("x"), "unknown-agent", false, ["unknown agent \"x\"", "define it"]),
      (.unknownGoal("g"), "unknown-goal", false, ["unknown goal \"g\"", "define it"]),
      (.noFallback, "no-fallback", false, ["fall back", "give it choices"]),
      (.invalidReward(.nan), "invalid-reward", false, ["reward nan", "leave it out"]),
      (
        .invalidDefinition(path: "rules.0", reason: "must be an object"), "invalid-definition",
        false,
        ["rules.0: must be an object"]
      ),
      (.timeout(.seconds(5)), "timeout", true, ["within 5.0 seconds", "try again"]),
      (.network("no route"), "network", true, ["no route", "try again"]),
      (.invalidReply("<html>"), "invalid-reply", true, ["<html>", "check its address"]),
      (.service("no key"), "service", false, ["no key"]),
      (.notRecorded("full"), "not-recorded", true, ["full", "nothing changed", "try again"]),
      (.invalidSnapshot("old"), "invalid-snapshot", false, ["old"]),
    ]
    for (error, word, isRetryable, parts) in errors {
      #expect(error.word == word && error.isRetryable == isRetryable)
      for part in parts { #expect(error.description.contains(part), "\(error)") }
    }
    #expect(Set(errors.map(\.0)).count == errors.count)
    #expect(AgentError.invalidReward(.nan) == .invalidReward(.nan))
    #expect(AgentError.invalidCode("", role: .agent) != .invalidCode("", role: .goal))
    #expect(AgentCodeRole.session.rawValue == "session")
  }

  @Test("G-12: a snapshot of something else is refused with the reason")
  func snapshots() throws {
    let host = try AgentsHost()
    try host.decide()
    let good = host.agents.snapshot()
    #expect(good.hasPrefix(#"{"position":1,"state":{"agents":{"x":"#))
    for (text, part) in [
      ("", "no JSON"), ("{}", "names no system"),
      (good.replacing("\"system\":\"agents\"", with: "\"system\":\"rollouts\""), "of rollouts"),
      (good.replacing("\"version\":1", with: "\"version\":2"), "version 2"),
      (good.replacing("\"sessions\":{", with: "\"sessions\":1,\"x\":{"), "sessions"),
    ] {
      let error = agentError { () throws(AgentError) in
        _ = try Agents(owner: "o", surroundings: host.world.surroundings, restoring: text)
      }
      guard case .invalidSnapshot(let reason)? = error else {
        Issue.record("\(text) gave \(String(describing: error))")
        continue
      }
      #expect(reason.contains(part) && reason.contains("replay the log"), "\(reason)")
    }
  }

  @Test("a snapshot with odd numbers is taken for what it says, and traps nothing")
  func oddSnapshot() throws {
    let host = try AgentsHost(AgentDefinition("x", credit: .last))
    try host.decide(["a"])
    var text = host.agents.snapshot()
    text = text.replacing("\"latest\":0", with: "\"latest\":7")
    text = text.replacing("\"decisions\":1", with: "\"decisions\":9223372036854775807")
    text = text.replacing("\"position\":2", with: "\"position\":9223372036854775807")
    let odd = try Agents(
      owner: "o", surroundings: host.world.surroundings, restoring: text)
    #expect(try odd.goal(GoalRequest(agent: "x", session: "s-1")).accepted)
    #expect(try odd.decide(.of(["a"], session: "s-2")).policy == .random)
  }

  @Test("a definition in a log that no call would accept does no harm")
  func oddDefinition() throws {
    let text = #"""
      {"agent":"x","controlShare":7,"eligibleShare":-1,"explorationFloor":9,"policy":"greedy","goals":["g","g"],
      "points":[{"code":"p","slots":[{"code":"u","choices":[]}]},{"slots":[{"choices":[
      {"code":"a","weight":-5},"b","b"]}]}],"rules":[{"code":"","applies":{"fixed":"q"},
      "conditions":[["point","matches","("]]}],"timeout":-5}
      """#
    let event = Event(
      time: Timestamp(microseconds: 0), unit: "",
      payload: .configurationApplied(
        ConfigurationApplied(
          system: "agents", experiment: "x", configuration: JSONText(validated: text))))
    let world = ManualWorld()
    let agents = Agents(owner: "o", surroundings: world.surroundings, replaying: [event])
    #expect(agents.definition(of: "x")?.controlShare == 7)
    #expect(try agents.decide(.of()).decisions[0].reason == .notEligible)
    #expect(
      try agents.decide(DecisionRequest(agent: "x", point: "p")).decisions[0].choices == ["a", "b"])
    var definition = try #require(agents.definition(of: "x"))
    definition.eligibleShare = 1
    let json = definition.json
    let state = AgentsState(replaying: [
      Event(
        time: Timestamp(microseconds: 0), unit: "",
        payload: .configurationApplied(
          ConfigurationApplied(
            system: "agents", experiment: "x", configuration: json.jsonText)))
    ])
    let snapshot = Snapshot(position: 1, state: state).text
    let other = try Agents(owner: "o", surroundings: world.surroundings, restoring: snapshot)
    let decision = try other.decide(.of()).decisions[0]
    #expect(
      decision.code == "b" && decision.probabilities == [0, 1] && decision.reason == .control)
  }

  @Test("durability can be waited for, and fails as an error")
  func flush() async throws {
    let host = try AgentsHost()
    try await host.agents.flush()
    host.world.sink.refuse(true)
    await #expect(throws: AgentError.notRecorded("Refusal()")) { try await host.agents.flush() }
  }

  @Test("events that do not apply change nothing")
  func foreignEvents() {
    let time = Timestamp(microseconds: 5)
    let payloads: [Payload] = [
      .decisionConfirmed(DecisionConfirmed(experiment: "x")),
      .goal(Goal(experiment: "x", goal: "g")),
      .decision(Decision(experiment: "x", variant: "a", reason: "sticky", status: .repeated)),
      .decision(Decision(experiment: "x", variant: "a", reason: "hash")),
      .sessionExpired(SessionExpired(experiment: "x")), .sessionExpired(SessionExpired()),
      .conversion(Conversion(goal: "g")), .dataPoint(DataPoint(kind: "custom")),
      .assignmentRemoved(AssignmentRemoved(experiment: "x")),
      .configurationApplied(
        ConfigurationApplied(system: "rollouts", experiment: "x", configuration: .null)),
      .configurationApplied(ConfigurationApplied(system: "agents", configuration: .null)),
      .configurationApplied(ConfigurationApplied(system: "agents", experiment: "x")),
      .configurationApplied(
        ConfigurationApplied(
          system: "agents", experiment: "x", configuration: JSONText(validated: "[1]"))),
    ]
    let events = payloads.map { Event(time: time, unit: "u", payload: $0) }
    #expect(AgentsState(replaying: events) == AgentsState())
  }
}
