import Specifications
import Statistics
import Synchronization
import TestSupport
import Testing

@testable import Bandits

@Suite("Warm starts")
struct WarmStartTests {
  private static let problem = Problem(variants: 3, horizon: 50, rewards: 0...1)

  private func rewards(_ seed: UInt64, _ count: Int) -> WarmStart {
    var random = SeededGenerator(seed: seed)
    return WarmStart(
      (0..<count).map { _ in
        WarmStart.Reward(
          variant: random.index(3), reward: Double(random.index(2)),
          propensity: random.chance(0.5) ? 0.25 : .nan)
      })
  }

  private func simulation(_ policy: PreparedPolicy, batch: Int = 1) throws -> Simulation {
    Simulation(
      try Environments.named(Problems.b4), policy, RunRules(horizon: 50, batch: batch), seed: 5)
  }

  /// Policies that need no context.
  private static let policies = Policies.catalog.entries.map(\.info.name).filter { name in
    guard let policy = try? Policies.named(Self.written(name), variants: ["1", "2", "3"]) else {
      return false
    }
    return !policy.needsContext && (try? policy.makeState(Self.problem)) != nil
  }

  private static func written(_ name: String) -> String {
    ["fixed": "fixed:variant=1", "weights": "weights:weights=1;2;3"][name] ?? name
  }

  @Test("a policy begins where its own learning would have left it", arguments: policies)
  func learned(name: String) throws {
    for seed in 0..<20 as Range<UInt64> {
      let warm = rewards(seed, 12)
      let policy = try Policies.named(Self.written(name), variants: ["1", "2", "3"])
      let warmed = try policy.warmed(by: warm, for: Self.problem)
      var state = try policy.makeState(Self.problem)
      for reward in warm.rewards {
        let propensity = reward.propensity.isNaN ? 1 / 3.0 : reward.propensity
        state.learn(Choice(reward.variant, propensity: propensity), reward.reward, .none)
      }
      var started = try #require(warmed.start)
      var (one, other) = (Xoshiro256(seed: seed), Xoshiro256(seed: seed))
      for _ in 0..<20 {
        let (a, b) = (state.choose(.none, &one), started.choose(.none, &other))
        #expect(a.variant == b.variant && a.propensity.bitPattern == b.propensity.bitPattern)
        state.learn(a, 1, .none)
        started.learn(b, 1, .none)
      }
    }
  }

  @Test("every run of a warmed policy begins there", arguments: ["ucb1", "thompson"])
  func runs(name: String) throws {
    // The first of 0.9, 0.8 and 0.7 looks bad beyond doubt.
    let warm = WarmStart(
      (0..<3000).map { .init(variant: $0 % 3, reward: $0 % 3 == 0 ? 0 : 1) })
    let policy = try Policies.named(name)
    let warmed = try policy.warmed(by: warm, for: Self.problem)
    for batch in [1, 7] {
      let simulation = try simulation(warmed, batch: batch)
      #expect(try simulation.run(0).choices[0] == 0)
      #expect(try simulation.run(0) == simulation.run(0))
      let cold = try self.simulation(policy, batch: batch)
      #expect(try cold.run(0).choices[0] > 0)
    }
    let choices = Mutex<[Int]>([])
    _ = try simulation(warmed).record(0) { event in
      guard case .decision(_, let choice, _, _) = event else { return }
      choices.withLock { $0.append(choice.variant) }
    }
    #expect(choices.withLock { $0.count == 50 && !$0.contains(0) })
  }

  @Test("variants with learned rewards skip the initial round", arguments: policies)
  func settled(name: String) throws {
    guard ["ucb1", "ucb", "kl-ucb", "moss", "greedy", "imed", "bayes-ucb"].contains(name) else {
      return
    }
    let warm = WarmStart([.init(variant: 1, reward: 1)])
    for seed in 0..<20 as Range<UInt64> {
      let policy = try Policies.named(name).warmed(by: warm, for: Self.problem)
      var state = try #require(policy.start)
      var random = Xoshiro256(seed: seed)
      let first = [state.choose(.none, &random), state.choose(.none, &random)]
      #expect(Set(first.map(\.variant)) == [0, 2], "\(name), seed \(seed)")
      #expect(first.map(\.propensity) == [0.5, 1])
    }
  }

  @Test("invalid warm starts are rejected")
  func refused() throws {
    let ucb = try Policies.named("ucb1")
    let wrong: [WarmStart] = [
      WarmStart([.init(variant: 3, reward: 1)]), WarmStart([.init(variant: -1, reward: 1)]),
      WarmStart([.init(variant: 0, reward: .nan)]),
      WarmStart([.init(variant: 0, reward: .infinity)]),
      WarmStart([.init(variant: 0, reward: 1, context: 0)]),
      WarmStart([.init(variant: 0, reward: 1, context: 0)], contexts: [[1, 2]]),
    ]
    for warm in wrong {
      #expect(throws: SpecificationError.self) { try ucb.warmed(by: warm, for: Self.problem) }
    }
    // Rewards of 0 ... 1 from here on do not make those before it any smaller.
    let large = WarmStart([.init(variant: 0, reward: 2)])
    _ = try ucb.warmed(by: large, for: Self.problem)
    let unit = try Policies.named("thompson")
    #expect(throws: SpecificationError.self) { try unit.warmed(by: large, for: Self.problem) }
  }

  @Test("contexts are passed on, and are zeros if unknown")
  func contexts() throws {
    let warm = WarmStart(
      [.init(variant: 1, reward: 3, context: 1), .init(variant: 0, reward: 2)],
      contexts: [[1, 0], [0, 1]])
    var problem = Problem(variants: 2, horizon: 1, sharedFeatures: 2, variantFeatures: 1)
    problem.rewards = nil
    let probe = Probe()
    var state: any PolicyState = probe
    warm.teach(&state, problem)
    let heard = try #require(state as? Probe)
    #expect(heard.shared == [[0, 1], [0, 0]])
    #expect(heard.variants == [[0, 0], [0, 0]])
    #expect(heard.rewards == [3, 2])
  }

  /// Hears what it is told.
  private struct Probe: PolicyState {
    var shared: [[Double]] = []
    var variants: [[Double]] = []
    var rewards: [Double] = []

    mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice { Choice(0) }

    mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
      shared.append(context.shared)
      variants.append(context.variants)
      rewards.append(reward)
    }
  }
}
