import Bandits
import Deciding
import Events
import Simulations
import Specifications
import Statistics
import Testing

/// Policies and environments of another package, which sees the public interface only.
@Suite("Policies and environments of one's own")
struct AdopterBanditTests {
  private let policies = PolicyCatalog.standard.adding(OptimisticGreedy.self)
    .adding(WinStay.self)

  @Test("a policy runs in a built-in environment, and a built-in policy in one's own")
  func simulated() throws {
    let environment = try WeekendEnvironment { $0.rate = 0.9 }
    let own = try Simulator(try OptimisticGreedy { $0.worth = 2 }, environment)
      .run(horizon: 700, runs: 5, seed: 1)
    #expect(own.steps.last == 700 && own.outcomes.count == 5)
    #expect((own.summary.regret?.mean ?? .nan) < 0.9 * 700 / 2)

    let thompson = try Simulator(Thompson(), environment).run(horizon: 50, seed: 3)
    let named = try Simulator(try Policies.named("thompson"), environment).run(horizon: 50, seed: 3)
    #expect(thompson == named)

    let bernoulli = try BernoulliEnvironment { $0.means = [0.2, 0.8] }
    let batches = try Simulator(OptimisticGreedy(), bernoulli)
      .run(horizon: 200, runs: 20, seed: 2, batch: 10)
    #expect(batches.summary.bestChoiceRate > 0.8)
    #expect(try Simulator(WinStay(), bernoulli).run(horizon: 500).summary.bestChoiceRate > 0.6)
  }

  @Test("a policy learns from a warm start, and runs within another policy")
  func warm() throws {
    let start = WarmStart([WarmStart.Reward](repeating: .init(variant: 1, reward: 1), count: 50))
    let bernoulli = try Environments.named("bernoulli:means=0;1")
    let own = try Simulator(try OptimisticGreedy { $0.worth = 0 }, bernoulli)
      .run(horizon: 10, warmStart: start)
    #expect(own.outcomes[0].choices == [0, 10])
    let text = "floor:policy=(optimistic-greedy:worth=3),probability=0.1"
    let named = try Simulator(try policies.named(text), bernoulli).run(horizon: 50)
    let greedy = PreparedPolicy(try OptimisticGreedy { $0.worth = 3 })
    let typed = try Simulator(
      try Floor { ($0.policy, $0.probability) = (greedy, 0.1) }, bernoulli
    )
    .run(horizon: 50)
    #expect(named == typed)
  }

  @Test("a specification names the policy, with its errors, and the plan of a simulation does")
  func named() throws {
    #expect(
      try OptimisticGreedy { $0.worth = 2 }.specification.description == "optimistic-greedy:worth=2"
    )
    #expect(policies.all.contains { $0.parameters.first?.meaning.hasSuffix("0 to 1e6") == true })
    #expect(
      try policies.named("floor:policy=(optimistic-greedy:worth=2)").specification.name == "floor")
    let range = #expect(throws: SpecificationError.self) { try OptimisticGreedy { $0.worth = -1 } }
    let text = #expect(throws: SpecificationError.self) {
      try policies.named("optimistic-greedy:worth=-1")
    }
    #expect(range == text && range?.description.contains("worth=-1") == true)

    let plan = SimulationPlan(
      environments: ["weekend:rate=0.5"], policies: ["optimistic-greedy", "ucb1"],
      rules: RunRules(horizon: 20), runs: 2, seed: 1)
    let prepared = try PreparedPlan(
      plan, makeEnvironment: { try Environments.named($0, .none.adding(WeekendEnvironment.self)) },
      policies: policies)
    #expect(prepared.environments.map(\.specification.name) == ["weekend"])
    #expect(throws: (any Error).self) { try PreparedPlan(plan) }
    let sources = EnvironmentSources.none.adding(WeekendEnvironment.self)
    let delayed = try Environments.named("delayed:environment=(weekend),steps=3", sources)
    #expect(
      try DelayedEnvironment {
        $0.environment = WeekendEnvironment()
        $0.steps = 3
      }.specification
        == delayed.specification)
    #expect(throws: SpecificationError.self) { try Environments.named("weekend:x=1", sources) }
  }

  @Test(
    "an agent draws by the policy, and is rebuilt from its log and from a snapshot",
    arguments: ["optimistic-greedy:worth=0.5", "win-stay"])
  func agent(policy: String) throws {
    let sink = MemorySink()
    let settings = AgentSettings(policies: policies)
    let surroundings = Surroundings(random: Xoshiro256(seed: 4), sink: sink)
    let agents = Agents(owner: "owner", settings: settings, surroundings: surroundings)
    try agents.define(AgentDefinition("shop", policy: policy, controlShare: 0))
    for step in 0..<30 {
      let session = "s-\(step)"
      let code = try Self.decide(agents, session)?.code
      let reward = code == "red" ? 1.0 : 0.0
      _ = try agents.goal(GoalRequest(agent: "shop", session: session, reward: reward))
    }

    let replayed = Agents(
      owner: "owner", settings: settings, surroundings: Surroundings(sink: MemorySink()),
      replaying: sink.events)
    let restored = try Agents(
      owner: "owner", settings: settings, surroundings: Surroundings(sink: MemorySink()),
      restoring: agents.snapshot())
    for known in [agents, replayed, restored] {
      #expect(try Self.decide(known, "new")?.probabilities == [1, 0])
    }
    // Without the policy it draws by equal weights.
    let stranger = try Agents(
      owner: "owner", surroundings: Surroundings(sink: MemorySink()), restoring: agents.snapshot())
    #expect(try Self.decide(stranger, "other")?.probabilities == [0.5, 0.5])
    #expect(throws: AgentError.self) { try stranger.define(AgentDefinition("b", policy: policy)) }
  }

  private static func decide(_ agents: Agents, _ session: String) throws -> AgentDecision? {
    let slots = [SlotChoices(choices: ["red", "blue"])]
    return try agents.decide(DecisionRequest(agent: "shop", session: session, slots: slots))
      .decisions.first
  }
}
