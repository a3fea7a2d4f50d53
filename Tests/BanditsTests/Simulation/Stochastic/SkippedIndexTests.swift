import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Skipped indices")
struct SkippedIndexTests {
  private static let texts = [
    "kl-ucb", "kl-ucb:c=3", "kl-ucb-plus", "kl-ucb++:horizon=5000", "bayes-ucb",
    "bayes-ucb:alpha=0.5,beta=3", "kl-ucb-poisson", "kl-ucb-exponential:c=1",
  ]

  private func indexPolicy(_ text: String) throws -> any IndexPolicy {
    try #require(try AllocationPolicies.named(text) as? any IndexPolicy)
  }

  private func tally(_ random: inout SeededGenerator) -> ArmTally {
    let decisions = 1 + random.index(random.pick([2, 40, 2_000, 1_000_000], or: 2))
    var tally = arm(random.index(decisions + 1), of: decisions)
    // Rewards that are parts of a success, and means close to the ends.
    if random.chance(0.3) { tally.sum *= Double.random(in: 0..<1, using: &random) }
    if random.chance(0.1) { tally.sum = min(Double(decisions), 1e-9) }
    return tally
  }

  @Test("a variant is skipped only if its index is smaller, to the last bit", arguments: texts)
  func exact(text: String) throws {
    let policy = try indexPolicy(text)
    var skipped = 0
    var useful = 0
    for seed in 0..<(text.contains("bayes") ? 400 : 2_000) {
      var random = SeededGenerator(seed: UInt64(seed))
      let (one, other) = (tally(&random), tally(&random))
      let now = IndexSituation(
        decisions: Double(one.decisions + other.decisions) * random.pick([1, 1.5, 1e3], or: 1),
        choices: 2, bestMean: 1)
      let own = policy.index(one, now)
      let rival = policy.index(other, now)
      let margins = [0, 1e-15, 1e-13, 1e-11, 1e-9, 1e-6].flatMap { [own + $0, own - $0] }
      for best in margins + [rival, own.nextUp, own.nextDown, .infinity, -.infinity] {
        guard !policy.mayReach(best, one, now) else { continue }
        skipped += 1
        #expect(own < best, "\(text), seed \(seed): \(own), \(best)")
      }
      if rival > own + 0.01 * abs(own), !policy.mayReach(rival, one, now) { useful += 1 }
    }
    #expect(skipped > 100 && useful > 50, "\(text): \(skipped), \(useful)")
  }

  @Test("choices and ties are those of a policy that computes all indices", arguments: texts)
  func choices(text: String) throws {
    for seed in 0..<(text.contains("bayes") ? 4 : 20) {
      try expectTwin(try indexPolicy(text), seed: UInt64(seed))
    }
  }

  private func expectTwin<P: IndexPolicy>(_ policy: P, seed: UInt64) throws {
    var data = SeededGenerator(seed: seed)
    let count = 1 + data.index(6)
    var state = try policy.makeState(Problem(variants: count, horizon: 200, rewards: 0...1))
    var random = Xoshiro256(seed: seed)
    var arms = [ArmTally](repeating: ArmTally(), count: count)
    for step in 0..<200 {
      var twin = random
      let choice = state.choose(.none, &random)
      let fresh = arms.indices.filter { arms[$0].decisions == 0 }
      let now = IndexSituation(
        decisions: Double(step), choices: Double(count), bestMean: .nan)
      let values = fresh.isEmpty ? arms.map { policy.index($0, now) } : []
      let tied = fresh.isEmpty ? arms.indices.filter { values[$0] == values.max() } : fresh
      let place = tied.count == 1 ? 0 : Draw.index(below: tied.count, using: &twin)
      #expect(choice.variant == tied[place], "seed \(seed), step \(step)")
      #expect(choice.propensity == 1 / Double(tied.count), "seed \(seed), step \(step)")
      #expect(random == twin, "seed \(seed), step \(step)")
      // Two of the variants alike make ties.
      let reward = data.chance([0.5, 0.5, 0.9][choice.variant % 3]) ? 1.0 : 0
      state.learn(choice, reward, .none)
      arms[choice.variant].decisions += 1
      arms[choice.variant].rewarded += reward > 0 ? 1 : 0
      arms[choice.variant].sum += reward
      arms[choice.variant].squares += reward
    }
  }
}
