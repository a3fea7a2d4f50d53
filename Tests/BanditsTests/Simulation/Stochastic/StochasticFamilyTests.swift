import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Invariants of every policy for stochastic rewards")
struct StochasticFamilyTests {
  private static let texts = Policies.all.filter { $0.family == "elimination and sampling" }.map {
    // A shorter look ahead is enough here, and quick also when built for debugging.
    $0.name == "gittins" ? "gittins:discount=0.5" : $0.name
  }

  /// The state for a problem, and whether it takes any rewards.
  private func state(
    _ text: String, variants: Int, horizon: Int
  ) throws -> (state: any PolicyState, takesAll: Bool) {
    let policy = try Policies.named(text)
    if let state = try? policy.makeState(Problem(variants: variants, horizon: horizon)) {
      return (state, true)
    }
    let unit = Problem(variants: variants, horizon: horizon, rewards: 0...1)
    return (try policy.makeState(unit), false)
  }

  @Test("rewards of any size may be delayed or missing", arguments: texts)
  func late(text: String) throws {
    for seed in 0..<6 as Range<UInt64> {
      var data = SeededGenerator(seed: seed)
      let variants = 1 + data.index(4)
      var (state, takesAll) = try state(text, variants: variants, horizon: 100)
      let values = takesAll ? [-1e300, -1, 0, 1, 1e300] : [0, 0.25, 1]
      var random = Xoshiro256(seed: seed)
      var waiting: [(Choice, Double)] = []
      for step in 0..<120 {
        let choice = state.choose(.none, &random)
        #expect(choice.variant >= 0 && choice.variant < variants, "seed \(seed), step \(step)")
        #expect(
          choice.propensity.isNaN || choice.propensity > 0 && choice.propensity <= 1 + 1e-12,
          "seed \(seed), step \(step)")
        if data.chance(0.9) { waiting.append((choice, data.pick(values, or: 0))) }
        while seed > 0, data.chance(0.5), !waiting.isEmpty {
          let (choice, reward) = waiting.remove(at: data.index(waiting.count))
          state.learn(choice, reward, .none)
        }
        if let recommended = state.recommendation {
          #expect(recommended >= 0 && recommended < variants, "seed \(seed)")
        }
      }
    }
  }

  @Test("the same seed gives the same run, also in batches and with one variant", arguments: texts)
  func repeatable(text: String) throws {
    for environment in [Problems.b4, "bernoulli:means=0.5"] {
      for (horizon, batch) in [(1, 1), (60, 1), (60, 7)] {
        let one = try outcomes(text, environment, horizon: horizon, runs: 2, batch: batch)
        let other = try outcomes(text, environment, horizon: horizon, runs: 2, batch: batch)
        #expect(one == other)
        #expect(one.allSatisfy { $0.choices.reduce(0, +) == horizon })
      }
    }
  }

  /// Policies that are made to find the best variant, whatever that costs, are tested for that elsewhere.
  private static let thrifty = texts.filter { !["top-two", "successive-elimination"].contains($0) }

  @Test("they learn which variant is the best", arguments: thrifty)
  func learning(text: String) throws {
    let runs = try outcomes(text, Problems.b6, horizon: 1_000, runs: 8)
    // Chance would lose 150.
    #expect(mean(runs) { $0.points.last?.regret ?? .nan }.mean < 50, "\(text)")
  }
}
