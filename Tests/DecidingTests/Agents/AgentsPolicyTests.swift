import Bandits
import DecidingCore
import Events
import Foundation
import Specifications
import Statistics
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("Agents that draw by any policy without a context")
struct AgentsPolicyTests {
  /// The policies that an agent takes, those that look ahead with an end.
  static let policies = [
    "uniform", "weights:values=1;2;3", "greedy", "epsilon-greedy", "epsilon-decreasing:c=0.5,d=0.4",
    "softmax", "etc:pulls=5", "ucb1", "ucb", "ucb1-tuned", "ucb-v", "moss:horizon=500", "oc-ucb",
    "kl-ucb", "kl-ucb-plus", "kl-ucb++", "kl-ucb-gaussian", "kl-ucb-poisson",
    "kl-ucb-exponential", "imed", "bayes-ucb", "thompson", "thompson-gaussian",
    "thompson-gamma-poisson", "top-two", "exp3", "exp3-s:horizon=500", "exp3-ix", "exp3++", "exp4",
    "hedge:information=bandit,horizon=500", "tsallis-inf", "gradient", "ucb2", "ucb2:alpha=0.2",
    "dmed",
    "successive-elimination:delta=0.9,c=1", "discounted-ucb:horizon=500",
    "discounted-thompson:gamma=0.9", "sliding-window-ucb:window=30",
    "sliding-window-kl-ucb:horizon=200", "cusum-ucb:samples=10,horizon=500",
    "m-ucb:window=20,threshold=4,exploration=0.2", "glr-kl-ucb:horizon=500,every=2,stride=2",
    "fewa", "raw-ucb", "lucb:delta=0.4", "lil-ucb", "track-and-stop:delta=0.4",
  ]

  private static let names = ["a", "b", "c"]

  private static let isLong = LongTests.areWanted

  /// Integration is a hundred times slower when it is built for debugging.
  private func steps(_ text: String) -> Int {
    if text.contains("thompson") || text.hasPrefix("top-two") { return Self.isLong ? 200 : 15 }
    return Self.isLong ? 600 : 150
  }

  @Test("every policy that an agent takes is among those tested here, or needs names or a coin")
  func complete() {
    let tested = Set(Self.policies.map { String($0.prefix { $0 != ":" }) })
    #expect(tested.union(["fixed", "gittins"]) == Set(AgentPolicy.all.map(\.name)))
  }

  @Test("a run through an agent and in the simulator agree choice by choice", arguments: policies)
  func agreement(text: String) throws {
    for run in LongTests.chunks(1, of: 4) {
      let simulated = try SimulatedRun(text, number: run, horizon: steps(text))
      let words = StepWords(simulated.words)
      let host = try AgentsHost(Self.definition(text), random: words)
      for (step, decision) in simulated.decisions.enumerated() {
        words.goOn()
        let found = try #require(
          try host.agents.decide(.of(Self.names, session: "s-\(step)")).decisions.first)
        let shares = try #require(found.probabilities)
        let comment = "\(text), run \(run), step \(step): \(shares), \(decision.probabilities)"
        try #require(found.code == Self.names[decision.variant], "\(comment)")
        #expect(abs(shares.reduce(0, +) - 1) < 1e-12, "\(comment)")
        #expect(
          zip(shares, decision.probabilities).allSatisfy { abs($0 - $1) < 1e-9 }, "\(comment)")
        #expect(found.propensity == shares[decision.variant], "\(comment)")
        #expect(abs((found.propensity ?? 0) - decision.propensity) < 1e-9, "\(comment)")
        guard decision.reward != 0 else { continue }
        _ = try host.agents.goal(
          GoalRequest(agent: "x", session: "s-\(step)", goal: nil, reward: decision.reward))
      }
      try host.expectRebuilt()
      try expectSameAnswers(host, text)
    }
  }

  private static func definition(_ text: String) -> AgentDefinition {
    AgentDefinition(
      "x", points: [AgentPoint(slots: [AgentSlot(choices: names.map { AgentOption($0) })])],
      policy: text, controlShare: 0)
  }

  /// A replayed and a restored service go on with the same probabilities, also after a late reward.
  private func expectSameAnswers(_ host: AgentsHost, _ text: String) throws {
    let restored = try Agents(
      owner: "owner-1", settings: host.settings, surroundings: host.world.surroundings,
      restoring: host.agents.snapshot())
    let services = [host.agents, host.rebuilt(), restored]
    for late in [nil, 3, 12] as [Int?] {
      var answers: [[Double]?] = []
      for service in services {
        if let late {
          _ = try service.goal(
            GoalRequest(agent: "x", session: "s-\(late)", goal: "late", reward: 0))
          _ = try service.goal(
            GoalRequest(agent: "x", session: "s-\(late)", goal: "later", reward: 1e-3))
        }
        answers.append(
          try service.preview(.of(Self.names, session: "new")).decisions.first?.probabilities)
      }
      #expect(answers[0] != nil && answers[1] == answers[0] && answers[2] == answers[0], "\(text)")
    }
  }

  @Test("gittins learns from successes and failures as the simulator does")
  func gittins() throws {
    let policy = try AgentPolicy.named("gittins:discount=0.6")
    #expect(policy.allocationPolicy == nil)
    var learner = policy.learner(choices: 3)
    let host = try AgentsHost(Self.definition("gittins:discount=0.6"))
    var random = SeededGenerator(seed: 4)
    for step in 0..<100 {
      let found = try #require(
        try host.agents.decide(.of(Self.names, session: "s-\(step)")).decisions.first)
      #expect(found.probabilities == learner.allocation.probabilities, "step \(step)")
      let place = try #require(Self.names.firstIndex(of: found.code))
      let isRewarded = random.chance(0.2 + 0.2 * Double(place))
      if isRewarded { _ = try host.agents.goal(GoalRequest(agent: "x", session: "s-\(step)")) }
      learner.learn(
        place, propensity: try #require(found.propensity), reward: isRewarded ? 1 : 0)
    }
    try host.expectRebuilt()
  }

  @Test("late rewards are learned as if they had come with their decisions", arguments: 0..<12)
  func lateRewards(seed: Int) throws {
    let text = ["exp3", "ucb2", "sliding-window-ucb:window=50", "gradient"][seed % 4]
    let policy = try AgentPolicy.named(text)
    #expect(policy.allocationPolicy == nil)
    let choices: [VariantID] = ["a", "b", "c"]
    var random = SeededGenerator(seed: UInt64(seed))
    var history = LearningHistory()
    for step in 0..<400 {
      let entry = LearningHistory.Entry(
        variant: random.chance(0.02) ? "gone" : choices[random.index(3)],
        propensity: 0.1 + 0.9 * Double(random.index(10)) / 10)
      #expect(history.append(entry, policy, choices) == step)
      if random.chance(0.7) {
        let age = random.chance(0.9) ? random.index(min(step + 1, 40)) : random.index(step + 1)
        let number = step - age
        history.credit(
          Double(random.index(2)) / 8, to: history.entries[number].variant, at: number)
      }
      guard random.chance(0.1) else { continue }
      var twin = policy.learner(choices: 3)
      for entry in history.entries {
        guard let place = choices.firstIndex(of: entry.variant) else { continue }
        twin.learn(place, propensity: entry.propensity ?? .nan, reward: entry.reward)
      }
      #expect(
        history.allocation(policy, choices) == twin.allocation, "\(text), seed \(seed), \(step)")
    }
    history.credit(1, to: "a", at: -1)
    history.credit(1, to: "a", at: 400)
    #expect(history.entries.count == 400)
  }

  @Test("fixed and forced decisions are not learned, and forgetting forgets all")
  func whatIsLearned() throws {
    let condition = AgentCondition(.segment, .eq, "vip")
    let rule = AgentRule("r", when: [condition], then: .fixed("c", slot: nil))
    var definition = Self.definition("exp3:gamma=0.2")
    definition.rules = [rule]
    let host = try AgentsHost(definition)
    func history() -> LearningHistory? {
      host.state.agents["x"]?.known.points[.standard]?.memory(of: .standard)?.histories?[""]
    }
    try host.decide(Self.names, session: "s-1", segment: "vip")
    try host.agents.force("b", for: "s-2", in: "x")
    try host.decide(Self.names, session: "s-2")
    #expect(history() == nil)
    let drawn = try host.decide(Self.names, session: "s-3")
    try host.goal(session: "s-3")
    try host.goal("again", 0.0, session: "s-3")
    #expect(history()?.entries.map(\.variant.rawValue) == [drawn.code])
    #expect(history()?.entries.first?.propensity == drawn.propensity)
    #expect(history()?.entries.first?.reward == 1)
    try host.agents.resetLearning("x")
    try host.goal("late", 1, session: "s-3")
    #expect(history() == nil)
    try host.expectRebuilt()
  }

  @Test("what is not permitted leaves its part to the others")
  func permissions() throws {
    let host = try AgentsHost(Self.definition("exp3:gamma=0.2"))
    for step in 0..<30 {
      _ = try host.agents.decide(.of(Self.names, session: "s-\(step)"))
      _ = try host.agents.goal(GoalRequest(agent: "x", session: "s-\(step)"))
    }
    let all = try #require(
      try host.agents.preview(.of(Self.names, session: "n")).decisions.first?.probabilities)
    let some = try #require(
      try host.agents.preview(.of(Self.names, session: "n", excluding: ["b"])).decisions.first?
        .probabilities)
    let rest = all[0] + all[2]
    let expected = [all[0] / rest, 0, all[2] / rest]
    #expect(zip(some, expected).allSatisfy { abs($0 - $1) < 1e-12 }, "\(some), \(expected)")
  }

  @Test("a policy that cannot serve an agent is refused with the reason")
  func refused() {
    for (text, reason) in [
      ("linucb", "chooses by a context"), ("besa", "random samples"),
      ("hedge", "add information=bandit"),
      ("hedge:information=bandit", "add horizon=N"),
    ] {
      let error = agentError { () throws(AgentError) in
        try AgentDefinition("x", policy: text).validate()
      }
      guard case .invalidDefinition(let path, let found) = error else {
        Issue.record("\(text): \(String(describing: error))")
        continue
      }
      #expect(path == "policy" && found.contains(reason), "\(found)")
    }
  }

  @Test("rewards that a policy cannot use are said in a warning")
  func warning() throws {
    let host = try AgentsHost(Self.definition("exp3"))
    try host.decide(Self.names, session: "s-1")
    try host.goal(nil, 7, session: "s-1")
    let reply = try host.agents.decide(.of(Self.names, session: "s-2"))
    #expect(reply.warnings.contains { $0.contains("exp3") && $0.contains("outside 0 to 1") })
    let equal = [Double](repeating: 1.0 / 3, count: 3)
    #expect(reply.decisions.first?.probabilities == equal)
  }
}
