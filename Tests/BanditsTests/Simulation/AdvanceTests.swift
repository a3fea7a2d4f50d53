import Statistics
import TestSupport
import Testing

@testable import Bandits

/// A state that makes one decision at a time.
private struct SteppedState<S: PolicyState>: PolicyState {
  var state: S

  mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    state.choose(context, &random)
  }

  mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    state.learn(choice, reward, context)
  }

  mutating func offer(_ available: [Bool]) { state.offer(available) }
}

@Suite("Decisions at once")
struct AdvanceTests {
  private static let policies = [
    "ucb1", "ucb", "ucb:alpha=0", "ucb:alpha=0.1", "kl-ucb-gaussian:c=2", "oc-ucb", "ucb1-tuned",
    "ucb-v", "ucb-v:zeta=0.2,c=0", "moss", "moss:horizon=100", "softmax",
    "softmax:temperature=0.001", "softmax:temperature=100", "etc:pulls=5",
  ]

  private static let environments = [
    "bernoulli:means=0.1;0.9", "bernoulli:means=0.01;0.1", "bernoulli:means=0.5;0.51",
    "bernoulli:means=0;0", "bernoulli:means=1;1", "bernoulli:means=0;1", "bernoulli:means=0.4",
    "bernoulli:means=0.3;0.5;0.4", "gaussian:means=-1e6;-1e6", "gaussian:means=3;2.9",
  ]

  @Test("are those of one decision after the other", arguments: policies)
  func stepped(text: String) throws {
    try expectSame(try AllocationPolicies.named(text), text)
  }

  private func expectSame<P: AllocationPolicy>(_ policy: P, _ text: String) throws {
    for environment in Self.environments {
      let world = try Environments.named(environment)
      for seed in 0..<20 as Range<UInt64> {
        var random = SeededGenerator(seed: seed)
        let horizon = 1 + random.index(600)
        let simulation = Simulation(
          world, PreparedPolicy(policy), RunRules(horizon: horizon), seed: seed)
        let state = try policy.makeState(world.problem(horizon: horizon))
        let rewards = simulation.makeEnvironmentRun(seed)
        let words = simulation.makeRandom(seed)
        let once = simulation.loop.run(state, rewards, words)
        let stepped = simulation.loop.run(SteppedState(state: state), rewards, words)
        #expect(once == stepped, "\(text) in \(environment), seed \(seed)")
      }
    }
  }

  @Test("a draw among equal weights is that of a draw by weights", arguments: 0..<2_000)
  func equalWeights(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = 1 + random.index(random.pick([3, 70, 2_000], or: 2))
    // Zeros before, between and behind do not matter; words next to the ends of intervals do.
    var weights: [Double] = []
    for _ in 0..<count {
      if random.chance(0.3) { weights.append(0) }
      weights.append(1 / Double(count))
    }
    let places = weights.indices.filter { weights[$0] > 0 }
    let end = (UInt64(random.index(count + 1)) << 53) / UInt64(count)
    let near = min(max(end, 3) - 3 + UInt64(random.index(7)), (1 << 53) - 1)
    let word = random.chance(0.5) ? random.next() : near << 11
    var (one, other) = (FixedWord(word: word), FixedWord(word: word))
    let place = Draw.index(amongEqual: count, using: &one)
    #expect(places[place] == Draw.index(weights: weights, using: &other))
  }
}

/// A generator that repeats a word.
private struct FixedWord: RandomNumberGenerator {
  let word: UInt64
  mutating func next() -> UInt64 { word }
}
