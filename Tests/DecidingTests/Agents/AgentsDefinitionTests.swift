import Bandits
import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("Definitions of agents")
struct AgentsDefinitionTests {
  private static let text = """
    {"agent":"shop","controlShare":0.2,"credit":"last","eligibleShare":0.5,"explorationFloor":0.1,\
    "goals":[{"code":"sold","decisionPoint":"end","default":3,"limit":null,"max":10,"min":-1},"seen"],\
    "learnsBy":"segment","points":[{"code":"cart","slots":[{"code":"color","choices":[\
    {"code":"red","meta":{"hex":"f00"},"name":"Red","weight":2},"blue"]}]}],\
    "policy":"epsilon-greedy:epsilon=0.2","rules":[{"agents":["shop","x"],"applies":{"fixed":"red",\
    "slot":"color"},"code":"r1","conditions":[["input:foo","eq","bar"],["trait:cust/F","present"]],\
    "join":"any","status":"inactive"},{"applies":{"segment":"north"},"code":"r2"},\
    {"applies":{"feature":"f","weight":0.5},"code":"r3"},{"applies":{"permitted":["red"]},"code":"r4"}],\
    "schedule":{"from":"2026-01-01T00:00:00Z","to":"2026-02-01T00:00:00Z"},"sticky":false,\
    "timeout":100,"visitLength":10}
    """

  @Test("are read from JSON, and written so that they are read the same")
  func json() throws {
    let definition = try AgentDefinition(json: JSONValue(parsing: Self.text))
    #expect(definition.points[0].slots[0].choices[0].weight == 2)
    #expect(definition.goals[0].limit == nil && definition.goals[1] == AgentGoal("seen"))
    #expect(definition.rules.map(\.code) == ["r1", "r2", "r3", "r4"])
    #expect(!definition.rules[0].isActive && definition.rules[0].join == .any)
    let written = try JSONValue(parsing: Self.text)
    #expect(definition.json == written)
    #expect(try AgentDefinition(json: definition.json) == definition)
    let plain = try AgentDefinition(json: ["agent": "x"])
    #expect(plain == AgentDefinition("x") && plain.json == ["agent": "x"])
  }

  @Test(
    "name the path of what cannot be",
    arguments: [
      ("[]", "", "must be an object"), ("{}", "agent", "is missing"),
      (#"{"agent":1}"#, "agent", "must be a text"),
      (#"{"agent":"x","contrlShare":1}"#, "contrlShare", "is not known here"),
      (#"{"agent":"x","controlShare":2}"#, "controlShare", "must be from 0.0 to 1.0"),
      (#"{"agent":"x","eligibleShare":-1}"#, "eligibleShare", "must be from"),
      (#"{"agent":"x","sticky":1}"#, "sticky", "must be true or false"),
      (#"{"agent":"x","policy":"best"}"#, "policy", "unknown policy"),
      (#"{"agent":"x","credit":"some"}"#, "credit", "must be one of all, last"),
      (#"{"agent":"x","timeout":0}"#, "timeout", "must be a positive number"),
      (#"{"agent":"x","timeout":1.5}"#, "timeout", "must be a whole number"),
      (#"{"agent":"x","points":{}}"#, "points", "must be a list"),
      (
        #"{"agent":"x","points":[{"slots":[{"choices":[]}]}]}"#, "points.0.slots.0.choices",
        "choice"
      ),
      (
        #"{"agent":"x","points":[{"slots":[{"choices":["a",{"code":"b","weight":-1}]}]}]}"#,
        "points.0.slots.0.choices.1.weight", "not negative"
      ),
      (
        #"{"agent":"x","points":[{"slots":[{"choices":["a","a"]}]}]}"#,
        "points.0.slots.0.choices.1", "once more"
      ),
      (
        #"{"agent":"x","explorationFloor":0.6,"points":[{"slots":[{"choices":["a","b"]}]}]}"#,
        "explorationFloor", "at most 1 over the 2 choices"
      ),
      (#"{"agent":"x","goals":[{"code":"g","min":2,"max":1}]}"#, "goals.0", "not be greater"),
      (#"{"agent":"x","goals":[{"code":"g","limit":0}]}"#, "goals.0.limit", "1 or more"),
      (#"{"agent":"x","rules":[{"code":"r"}]}"#, "rules.0.applies", "is missing"),
      (#"{"agent":"x","rules":[{"code":"r","applies":{}}]}"#, "rules.0.applies", "one of segment"),
      (
        #"{"agent":"x","rules":[{"code":"r","applies":{"fixed":"a"},"conditions":[["age","eq",1]]}]}"#,
        "rules.0.conditions.0.0", "must be one of session"
      ),
      (
        #"{"agent":"x","rules":[{"code":"r","applies":{"fixed":"a"},"conditions":[["point","eq"]]}]}"#,
        "rules.0.conditions.0", "must be [source, operator, value]"
      ),
      (
        #"{"agent":"x","rules":[{"code":"r","applies":{"fixed":"a"},"conditions":[["point","lt","b"]]}]}"#,
        "rules.0.conditions.0.2", "with a number"
      ),
      (
        #"{"agent":"x","rules":[{"code":"r","applies":{"fixed":"a"},"conditions":[["point","matches","("]]}]}"#,
        "rules.0.conditions.0.2", "a regular expression"
      ),
      (
        #"{"agent":"x","schedule":{"from":"2026-02-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}}"#,
        "schedule", "begin before"
      ),
      (#"{"agent":"x","schedule":{"from":"soon"}}"#, "schedule.from", "must be a time"),
    ])
  func problems(text: String, path: String, reason: String) throws {
    let json = try JSONValue(parsing: text)
    let error = agentError { () throws(AgentError) in _ = try AgentDefinition(json: json) }
    guard case .invalidDefinition(let errorPath, let errorReason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(errorPath == path && errorReason.contains(reason))
    #expect(error?.description.contains(path) == true)
  }

  @Test("of a code that no agent may have are refused")
  func codes() throws {
    let host = try AgentsHost()
    let long = String(repeating: "c", count: 51)
    for (definition, error) in [
      (AgentDefinition("a b"), AgentError.invalidCode("a b", role: .agent)),
      (AgentDefinition("-"), .reservedCode("-")),
      (AgentDefinition("x", goals: [AgentGoal("é")]), .invalidCode("é", role: .goal)),
      (AgentDefinition("x", points: [AgentPoint("", slots: [])]), .invalidCode("", role: .point)),
      (AgentDefinition(long), .codeTooLong(long, limit: 50)),
    ] {
      #expect(agentError { () throws(AgentError) in try host.agents.define(definition) } == error)
    }
    #expect(host.world.events.isEmpty)
  }

  @Test("are recorded as a whole, with the verb as the reason and what changed")
  func events() throws {
    let host = try AgentsHost(AgentDefinition("x", policy: "greedy"))
    try host.agents.define(AgentDefinition("x", policy: "greedy"))
    try host.agents.pause("x", on: "b")
    try host.agents.pause("x", on: "b")
    try host.agents.stop("x")
    try host.agents.resume("x")
    try host.agents.resume("x")
    try host.agents.define(AgentDefinition("x", isSticky: false))
    try host.agents.resetLearning("x")
    try host.agents.remove("x")
    let applied: [ConfigurationApplied] = host.world.events.compactMap {
      if case .configurationApplied(let applied) = $0.payload { applied } else { nil }
    }
    #expect(
      applied.map(\.reason)
        == ["defined", "paused", "stopped", "resumed", "defined", "learning-reset", "removed"])
    #expect(
      applied.map(\.changed) == [
        ["agent", "policy"], ["state"], ["state"], ["state"], ["policy", "sticky"], ["learning"],
        ["agent", "sticky"],
      ])
    #expect(
      applied[1].configuration?.text
        == #"{"agent":"x","policy":"greedy","state":{"paused":{"choice":"b"}}}"#)
    #expect(applied.last?.configuration == .null)
    #expect(host.world.events.allSatisfy { $0.unit == "" })
    #expect(host.state == AgentsState())
  }

  @Test("a definition keeps what was learned, the sessions, and the pause")
  func redefined() throws {
    let host = try AgentsHost()
    let kept = try host.decide()
    try host.agents.pause("x", on: "b", for: ["s-9"])
    try host.agents.define(AgentDefinition("x", policy: "greedy"))
    #expect(host.agents.learned(by: "x")[kept.code]?.decisions == 1)
    #expect(try host.decide().reason == .sticky)
    #expect(try host.decide(session: "s-9").reason == .paused)
    #expect(host.agents.definition(of: "x") == AgentDefinition("x", policy: "greedy"))
    #expect(host.agents.activity(of: "x")?.sessionPauses == ["s-9": AgentPause(on: "b")])
    #expect(host.agents.codes == ["x"])
  }

  @Test("forgetting what was learned: earlier decisions earn nothing any more")
  func reset() throws {
    let host = try AgentsHost()
    try host.decide(["a"])
    try host.decide(["b"], session: "s-2", status: .provisional)
    try host.agents.resetLearning("x")
    try host.expectRebuilt()
    #expect(host.agents.learned(by: "x").isEmpty)
    #expect(try host.goal().accepted)
    #expect(host.agents.learned(by: "x").isEmpty)
    try host.decide(["b"], session: "s-2")
    try host.goal(session: "s-2")
    #expect(
      host.agents.learned(by: "x") == ["b": ArmTally(decisions: 1, rewarded: 1, sum: 1, squares: 1)]
    )
  }

  @Test("what is removed begins anew; what is unknown can be neither removed, paused nor resumed")
  func removed() throws {
    let host = try AgentsHost()
    try host.decide()
    try host.agents.remove("x")
    try host.expectRebuilt()
    #expect(host.agents.codes.isEmpty && host.agents.definition(of: "x") == nil)
    #expect(try host.goal().refusal == .noDecision)
    #expect(try host.decide().reason == .random)
    func isUnknown(_ body: () throws(AgentError) -> Void) {
      #expect(agentError(body) == .unknownAgent("y"))
    }
    isUnknown { () throws(AgentError) in try host.agents.remove("y") }
    isUnknown { () throws(AgentError) in try host.agents.resume("y") }
    isUnknown { () throws(AgentError) in try host.agents.pause("y", on: "a") }
    isUnknown { () throws(AgentError) in try host.agents.pause("y", on: "a", for: ["s-1"]) }
    isUnknown { () throws(AgentError) in try host.agents.stop("y") }
    isUnknown { () throws(AgentError) in try host.agents.resume("y", for: ["s-1"]) }
    isUnknown { () throws(AgentError) in try host.agents.resetLearning("y") }
  }

  @Test("without creation at first use an unknown agent can be neither forced nor previewed")
  func strict() throws {
    let host = try AgentsHost(settings: AgentSettings(createsUnknown: false))
    func isUnknown(_ body: () throws(AgentError) -> Void) {
      #expect(agentError(body) == .unknownAgent("y"))
    }
    isUnknown { () throws(AgentError) in try host.agents.force("a", for: "s", in: "y") }
    isUnknown { () throws(AgentError) in _ = try host.agents.preview(.of(agent: "y")) }
    #expect(host.world.events.isEmpty)
  }

  @Test("a log of a later version with members that nobody knows yet is still read")
  func laterVersion() {
    let configuration = JSONText(validated: #"{"agent":"x","policy":"greedy","later":{"a":1}}"#)
    let event = Event(
      time: Timestamp(microseconds: 0), unit: "",
      payload: .configurationApplied(
        ConfigurationApplied(system: "agents", experiment: "x", configuration: configuration)))
    let state = AgentsState(replaying: [event])
    #expect(state.agents["x"]?.known.plan?.definition == AgentDefinition("x", policy: "greedy"))
  }
}
