import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

/// Random calls over everything that agents can do, odd ones among them.
struct AgentsRandomCalls {
  /// Some learn from counts, some from decisions in their order; rewards beyond 1 are refused by `exp3`.
  private static let policies = [
    "greedy", "epsilon-greedy:epsilon=0.3", "exp3:gamma=0.3", "ucb2:alpha=0.5",
    "sliding-window-ucb:window=4", "gradient",
  ]

  private var generator: SeededGenerator
  private static let agents = ["x", "y", "z"]
  private static let sessions = ["s-1", "s-2", "s-3", "s-4"]
  private static let codes = ["a", "b", "c", "d"]
  private static let points: [String?] = [nil, "p", "q"]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func chance(_ probability: Double) -> Bool { generator.chance(probability) }

  mutating func index(_ count: Int) -> Int { generator.index(count) }

  private mutating func agent() -> String {
    chance(0.02) ? "a b" : generator.pick(Self.agents, or: "x")
  }

  private mutating func session() -> String {
    chance(0.01) ? "" : generator.pick(Self.sessions, or: "s-1")
  }

  private mutating func code() -> String { generator.pick(Self.codes, or: "a") }

  mutating func request() -> DecisionRequest {
    var request = DecisionRequest(agent: agent(), session: chance(0.05) ? nil : session())
    request.point = generator.pick(Self.points, or: nil)
    if chance(0.8) {
      request.slots = ["u", "v"].prefix(1 + index(2)).map { slot in
        SlotChoices(
          slot: slot, choices: chance(0.1) ? nil : (0..<1 + index(4)).map { _ in code() })
      }
    }
    if chance(0.2) { request.status = .provisional }
    if chance(0.15) { request.allowed = [code(), code()] }
    if chance(0.15) { request.excluding = [code()] }
    if chance(0.4) { request.segment = chance(0.5) ? "north" : "é \"south\"" }
    if chance(0.1) { request.features = [AgentFeature("f", weight: chance(0.2) ? .nan : 0.5)] }
    if chance(0.1) { request.inputs = ["foo": "bar"] }
    if chance(0.03) { request.visitor = AgentVisitor(isBot: true) }
    return request
  }

  private mutating func goalRequest() -> GoalRequest {
    let rewards: [Double?] = [nil, 1, 2.5, -1, 1e300, .infinity, 0.1]
    let goals: [String?] = [nil, "g", "h", "arrived"]
    return GoalRequest(
      agent: chance(0.15) ? nil : agent(), session: session(),
      goal: generator.pick(goals, or: nil), reward: generator.pick(rewards, or: nil))
  }

  private mutating func definition() -> AgentDefinition {
    var definition = AgentDefinition(agent())
    if chance(0.4) {
      definition.points = [
        AgentPoint(
          "p",
          slots: [
            AgentSlot(
              "u", choices: [AgentOption("a", name: "A", weight: 3), AgentOption("b", weight: 0)])
          ])
      ]
    }
    if chance(0.5) {
      definition.goals = [
        AgentGoal("g", max: 2, limit: chance(0.5) ? nil : 2),
        AgentGoal("arrived", default: 0.5, limit: 3, decisionPoint: "q"),
      ]
    }
    if chance(0.6) { definition.policy = Self.policies[index(Self.policies.count)] }
    if chance(0.3) { definition.eligibleShare = 0.6 }
    if chance(0.3) { definition.isSticky = false }
    if chance(0.3) { definition.explorationFloor = 0.2 }
    if chance(0.3) { definition.credit = .last }
    if chance(0.4) { definition.learnsBy = .segment }
    if chance(0.4) { definition.timeout = 50 }
    if chance(0.4) { definition.visitLength = 10 }
    if chance(0.1) { definition.schedule = Schedule(from: Timestamp(microseconds: 100_000_000)) }
    if chance(0.3) {
      let condition = AgentCondition(.input("foo"), .eq, "bar")
      definition.rules = [AgentRule("r", when: [condition], then: .fixed("c", slot: nil))]
    }
    return definition
  }

  /// Makes one call. What it throws was asked for.
  mutating func call(_ agents: Agents) {
    switch index(22) {
    case 0..<11: _ = try? agents.decide(request())
    case 11..<15: _ = try? agents.goal(goalRequest())
    case 15: _ = agents.decide((0..<index(5)).map { _ in request() })
    case 16: try? agents.expire(session: session(), agent: agent())
    case 17: try? agents.define(definition())
    case 18: configure(agents)
    case 19: try? agents.force(code(), for: session(), in: agent())
    case 20: try? agents.unforce(session: session(), in: agent())
    default: _ = try? agents.preview(request())
    }
  }

  private mutating func configure(_ agents: Agents) {
    switch index(9) {
    case 0: try? agents.pause(agent(), on: code())
    case 1: try? agents.pause(agent(), on: ["u": code()], for: [session()])
    case 2: try? agents.stop(agent())
    case 3: try? agents.remove(agent())
    case 4: try? agents.resetLearning(agent())
    case 5: try? agents.resume(agent(), for: [session()])
    default: try? agents.resume(agent())
    }
  }
}
