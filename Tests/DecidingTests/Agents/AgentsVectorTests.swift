import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

/// One step of a vector and what is expected of it.
private enum Step: Sendable {
  /// A decision: among the codes, with that reason and status.
  case decide(DecisionRequest, oneOf: [String], Reason, EventStatus = .confirmed)
  /// A decision that is the one before it, with that reason.
  case again(DecisionRequest, Reason, EventStatus = .confirmed)
  case goal(GoalRequest, Double, GoalRefusal? = nil)
  case expire
  case pause(String)
  case resume
  case define(AgentDefinition)
  /// How many events the log has.
  case events(Int)
}

private struct Vector: Sendable, CustomTestStringConvertible {
  let id: String
  var definitions: [AgentDefinition] = []
  let steps: [Step]
  var testDescription: String { id }
}

private func goal(_ reward: Double? = nil, _ goal: String? = nil) -> GoalRequest {
  GoalRequest(agent: "x", session: "s-1", goal: goal, reward: reward)
}

private let fixingC = AgentDefinition("x", rules: [AgentRule("r", then: .fixed("C", slot: nil))])

private let fixingCOnInput = AgentDefinition(
  "x",
  rules: [
    AgentRule("r", when: [AgentCondition(.input("foo"), .eq, "bar")], then: .fixed("C", slot: nil))
  ])

private func reading(_ inputs: JSONObject) -> DecisionRequest {
  var request = DecisionRequest.of(["A", "B", "C"])
  request.inputs = inputs
  return request
}

private let vectors: [Vector] = [
  Vector(id: "CO-T1", steps: [.decide(.of(), oneOf: ["a", "b"], .random)]),
  Vector(
    id: "CO-T2",
    steps: [
      .decide(.of(status: .provisional), oneOf: ["a", "b"], .random, .provisional),
      .again(.of(), .sticky),
    ]),
  Vector(id: "CO-T3", steps: [.goal(goal(2.2), 0, .noDecision), .events(1)]),
  Vector(
    id: "CO-T4, CO-T5",
    steps: [
      .decide(.of(), oneOf: ["a", "b"], .random), .goal(goal(2.2), 2.2),
      .goal(goal(2.2), 0, .limit),
    ]),
  Vector(
    id: "CO-T6",
    steps: [
      .decide(.of(), oneOf: ["a", "b"], .random), .expire, .goal(goal(2.2), 0, .expired),
    ]),
  Vector(id: "CO-T7", steps: [.decide(.of(), oneOf: ["a", "b"], .random), .goal(goal(), 1)]),
  Vector(
    id: "CO-T10",
    steps: [
      .decide(.of(), oneOf: ["a", "b"], .random), .again(.of(), .sticky), .events(1),
    ]),
  Vector(
    id: "CO-T15",
    steps: [
      .decide(.of(), oneOf: ["a", "b"], .random), .goal(goal(nil, "g-example"), 1),
      .goal(goal(nil, "g-example"), 0, .limit),
    ]),
  Vector(id: "CO-T18", steps: [.decide(.of(["A", "B"], allowed: ["B"]), oneOf: ["B"], .random)]),
  Vector(
    id: "CO-T19", definitions: [fixingCOnInput],
    steps: [
      .decide(reading(["foo": "bar"]), oneOf: ["C"], .fixed), .again(reading([:]), .sticky),
    ]),
  Vector(
    id: "CO-T23b", definitions: [fixingC],
    steps: [.decide(.of(["A", "B", "C"]), oneOf: ["C"], .fixed)]),
  Vector(
    id: "CO-T25", definitions: [AgentDefinition("x", goals: [AgentGoal("sold", default: 3)])],
    steps: [
      .decide(.of(), oneOf: ["a", "b"], .random), .goal(goal(1, "sold"), 1),
      .goal(goal(1, "sold"), 0, .limit),
    ]),
  Vector(
    id: "CO-V1",
    steps: [
      .decide(.of(["a"]), oneOf: ["a"], .random), .pause("b"),
      .decide(.of(), oneOf: ["b"], .paused, .excluded), .goal(goal(), 0, .paused), .events(2),
      .resume, .decide(.of(), oneOf: ["a"], .sticky), .events(3),
    ]),
  Vector(
    id: "CO-V2",
    steps: [
      .decide(.of(), oneOf: ["a", "b"], .random), .expire,
      .decide(.of(), oneOf: ["a", "b"], .random), .events(3),
    ]),
  Vector(
    id: "CO-V3", definitions: [AgentDefinition("x", goals: [AgentGoal("g", max: 3, limit: nil)])],
    steps: [
      .decide(.of(), oneOf: ["a", "b"], .random), .goal(goal(3, "g"), 3),
      .goal(goal(3.01, "g"), 0, .aboveMax), .goal(goal(3, "g"), 3),
    ]),
  Vector(
    id: "CO-V4", definitions: [AgentDefinition("x", goals: [AgentGoal("g", limit: 2)])],
    steps: [
      .decide(.of(), oneOf: ["a", "b"], .random), .goal(goal(1, "g"), 1), .goal(goal(1, "g"), 1),
      .goal(goal(1, "g"), 0, .limit),
    ]),
  Vector(
    id: "CO-V5", steps: [.decide(.of(["0", "1", "2"]), oneOf: ["0", "1", "2"], .random)]),
  Vector(
    id: "CO-V8",
    steps: [
      .decide(.of(["a", "b", "c"]), oneOf: ["a", "b", "c"], .random),
      .decide(.of(nil, session: "s-2"), oneOf: ["a", "b", "c"], .random),
      .decide(
        DecisionRequest(agent: "x", session: "s-3"), oneOf: ["a", "b", "c"], .random),
    ]),
  Vector(
    id: "CO-V9", definitions: [AgentDefinition("x")],
    steps: [
      .decide(.of(["a"]), oneOf: ["a"], .random),
      .define(AgentDefinition("x", rules: [AgentRule("r", then: .fixed("b", slot: nil))])),
      .decide(.of(), oneOf: ["b"], .fixed), .define(AgentDefinition("x")),
      .decide(.of(), oneOf: ["b"], .sticky),
    ]),
]

@Suite("The service's vectors")
struct AgentsVectorTests {
  @Test("hold live and after a replay", arguments: vectors)
  private func holds(_ vector: Vector) throws {
    let host = try AgentsHost()
    for definition in vector.definitions { try host.agents.define(definition) }
    var last: String?
    for (index, step) in vector.steps.enumerated() {
      try take(step, host, &last, "\(vector.id), step \(index + 1)")
      try host.expectRebuilt()
    }
  }

  private func take(_ step: Step, _ host: AgentsHost, _ last: inout String?, _ name: Comment) throws {
    switch step {
    case .decide(let request, let codes, let reason, let status):
      let decision = try #require(try host.agents.decide(request).decisions.first, name)
      #expect(codes.contains(decision.code), name)
      #expect(decision.reason == reason && decision.status == status, name)
      if codes.count == 1, reason != .paused { #expect(decision.propensity == 1, name) }
      last = decision.code
    case .again(let request, let reason, let status):
      let decision = try #require(try host.agents.decide(request).decisions.first, name)
      #expect(decision.code == last, name)
      #expect(decision.reason == reason && decision.status == status, name)
    case .goal(let request, let reward, let refusal):
      let reply = try host.agents.goal(request)
      #expect(reply.reward == reward && reply.refusal == refusal, name)
      #expect(reply.accepted == (refusal == nil) && !reply.isRetryable, name)
    case .expire: try host.agents.expire(session: "s-1", agent: "x")
    case .pause(let choice): try host.agents.pause("x", on: choice)
    case .resume: try host.agents.resume("x")
    case .define(let definition): try host.agents.define(definition)
    case .events(let count): #expect(host.world.events.count == count, name)
    }
  }

  @Test("CO-T11: traits are reported back in the order given")
  func traits() throws {
    let host = try AgentsHost()
    var request = DecisionRequest.of()
    request.traits = [AgentTrait("F", "1"), AgentTrait("F", "2")]
    #expect(try host.decide(request).traits == ["cust/F:1", "cust/F:2"])
  }

  @Test("CO-T12, CO-T21: agents that are not made at first use are errors, one by one")
  func unknownAgents() throws {
    let host = try AgentsHost(
      AgentDefinition("x"), AgentDefinition("y"), settings: AgentSettings(createsUnknown: false))
    let results = host.agents.decide([.of(), .of(agent: "nobody"), .of(agent: "y")])
    #expect(try results[0].get().policy == .random)
    #expect(results[1] == .failure(.unknownAgent("nobody")))
    #expect(try results[2].get().policy == .random)
    #expect(
      agentError { () throws(AgentError) in _ = try host.agents.decide(.of(agent: "nobody")) }
        == .unknownAgent("nobody"))
    try host.expectRebuilt()
  }

  @Test("CO-T23: a choice may have metadata and a name")
  func meta() throws {
    let host = try AgentsHost(
      AgentDefinition(
        "x",
        points: [
          AgentPoint(slots: [
            AgentSlot(choices: [
              AgentOption("A", name: "The first", meta: ["magic": "12345"]), AgentOption("B"),
            ])
          ])
        ]))
    let a = try host.decide(["A", "B"], allowed: ["A"])
    #expect(a.meta["magic"] == "12345" && a.name == "The first")
    let b = try host.decide(["A", "B"], session: "s-2", allowed: ["B"])
    #expect(b.meta["magic"] == nil && b.name == nil)
  }

  @Test(
    "CO-T23a: the second request of a batch for the same agent is sticky, and one batch is appended"
  )
  func batch() throws {
    let host = try AgentsHost()
    let results = host.agents.decide([.of(), .of(), .of(agent: "y")])
    let decisions = try results.map { try #require(try $0.get().decisions.first) }
    #expect(decisions.map(\.reason) == [.random, .sticky, .random])
    #expect(decisions[0].code == decisions[1].code)
    #expect(host.world.events.count == 2)
    try host.expectRebuilt()
  }

  @Test("CO-T24, CO-V6: each slot of a point is given one of its own choices, with one event")
  func slots() throws {
    let host = try AgentsHost()
    let colors = ["red", "blue"]
    let sizes = ["sm", "md", "lg"]
    for (point, slots) in [("home", ["colours", "fonts"]), ("auction", ["moods", "products"])] {
      let reply = try host.decide(
        DecisionRequest(
          agent: "x", session: "s-1", point: point,
          slots: [
            SlotChoices(slot: slots[0], choices: colors),
            SlotChoices(slot: slots[1], choices: sizes),
          ]))
      #expect(reply.decisions.map(\.slot) == slots && reply.point == point)
      #expect(colors.contains(reply[slots[0]]?.code ?? ""))
      #expect(sizes.contains(reply[slots[1]]?.code ?? ""))
    }
    #expect(host.decisions.map(\.slot) == ["colours", "fonts", "moods", "products"])
    let earlier = try host.decide(DecisionRequest(agent: "x", session: "s-2", point: "auction"))
    #expect(earlier.decisions.map(\.choices) == [colors, sizes])
  }

  @Test("CO-V7: a goal without agent goes to every agent that the session has a decision of")
  func everyAgent() throws {
    let host = try AgentsHost()
    try host.decide(agent: "y")
    try host.decide(agent: "x")
    try host.decide(session: "s-2", agent: "z")
    let reply = try host.goal("g", 2, agent: nil)
    #expect(reply.rewards == [.init(agent: "x", reward: 2), .init(agent: "y", reward: 2)])
    #expect(reply.accepted && reply.reward == 4 && reply.agent == nil)
    #expect(host.goals.map(\.experiment) == ["x", "y"])
    let nobody = try host.goal("g", 2, session: "s-3", agent: nil)
    #expect(!nobody.accepted && nobody.refusal == .noDecision && nobody.rewards.isEmpty)
    #expect(host.goals.count == 2)
  }

  @Test("CO-V10: a reward that is no finite number is an error, and nothing is appended")
  func notFinite() throws {
    let host = try AgentsHost()
    try host.decide()
    for reward in [Double.nan, .infinity, -.infinity] {
      #expect(
        agentError { () throws(AgentError) in
          _ = try host.agents.goal(GoalRequest(agent: "x", session: "s-1", reward: reward))
        } == .invalidReward(reward))
    }
    #expect(host.world.events.count == 1)
  }
}
