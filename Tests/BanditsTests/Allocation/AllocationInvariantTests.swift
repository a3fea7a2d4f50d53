import Bandits
import TestSupport
import Testing

@Suite("Invariants of every allocation policy")
struct AllocationInvariantTests {
  private static let learning = [
    "uniform", "greedy", "epsilon-greedy", "softmax", "etc:pulls=5", "ucb1", "ucb", "ucb1-tuned",
    "ucb-v",
    "moss", "moss:horizon=500", "kl-ucb", "kl-ucb:c=3", "imed", "bayes-ucb", "thompson",
    "thompson:alpha=0.001,beta=0.001", "thompson:alpha=1e9,beta=0.001", "thompson-gaussian",
    "thompson-gaussian:sigma=1e9,deviation=1e-9",
    "thompson-gaussian:sigma=1e-9,mean=1e12,deviation=1e9", "epsilon-decreasing", "oc-ucb",
    "oc-ucb:horizon=500", "kl-ucb-plus", "kl-ucb++", "kl-ucb++:horizon=500", "kl-ucb-gaussian:c=3",
    "kl-ucb-poisson:c=3", "kl-ucb-exponential:c=3",
    "thompson-gamma-poisson", "thompson-gamma-poisson:shape=1e-3,rate=1e9", "top-two",
    "top-two:beta=0.1,prior-beta=9",
  ]

  private func expectDistribution(_ allocation: Allocation, _ comment: String) {
    let sum = allocation.probabilities.reduce(0, +)
    #expect(allocation.probabilities.isEmpty || abs(sum - 1) <= 1e-12, "\(comment): \(sum)")
    #expect(allocation.probabilities.allSatisfy { $0 >= 0 && $0 <= 1 }, "\(comment)")
    #expect(allocation.error >= 0 && allocation.error <= 1, "\(comment)")
  }

  /// Tallies of 0/1 rewards with some choices alike and some fresh.
  private func tallies(_ random: inout SeededGenerator) -> [ArmTally] {
    let top = random.pick([2, 20, 500], or: 2)
    var arms = (0..<(1 + random.index(6))).map { _ in
      let decisions = random.index(top)
      return arm(random.index(decisions + 1), of: decisions)
    }
    if random.chance(0.3) { arms.append(arms[0]) }
    return arms
  }

  @Test(
    "probabilities add up to 1 and permute with the choices, bit for bit",
    arguments: learning)
  func permutations(text: String) throws {
    let policy = try AllocationPolicies.named(text)
    // Integration is a hundred times slower when it is built for debugging.
    for seed in 0..<(text.contains("thompson") || text.contains("top-two") ? 20 : 200) {
      var random = SeededGenerator(seed: UInt64(seed))
      let arms = tallies(&random)
      let before = policy.allocation(over: arms)
      expectDistribution(before, "\(text), seed \(seed)")
      #expect(before.refusal == nil)
      let order = Array(arms.indices).shuffled(using: &random)
      let after = policy.allocation(over: order.map { arms[$0] })
      #expect(
        after.probabilities == order.map { before.probabilities[$0] }, "\(text), seed \(seed)")
      #expect(after.error == before.error, "\(text), seed \(seed)")
      for (one, other) in zip(arms.indices, arms.indices.dropFirst()) where arms[one] == arms[other] {
        #expect(before.probabilities[one] == before.probabilities[other], "\(text), seed \(seed)")
      }
    }
  }

  @Test("any tallies give valid probabilities", arguments: learning)
  func wild(text: String) throws {
    let policy = try AllocationPolicies.named(text)
    let counts = [Int.min, -1, 0, 1, 2, 1_000, 1_000_000_000, Int.max]
    let sums = [
      -Double.infinity, -1e308, -1, -0.0, 0, 1e-300, 0.5, 1, 1_000, 1e9, 9e18, 1e308, .infinity,
      .nan,
    ]
    for seed in 0..<80 {
      var random = SeededGenerator(seed: UInt64(seed))
      let arms = (0..<random.index(5)).map { _ in
        let decisions = random.pick(counts, or: 0)
        var sum = random.pick(sums, or: 0)
        if random.chance(0.7) { sum = max(0, min(Double(decisions), sum)) }
        return ArmTally(
          decisions: max(random.chance(0.9) ? 0 : Int.min, decisions),
          rewarded: random.chance(0.95) ? 0 : -1,
          sum: sum, squares: random.chance(0.8) ? 0 : random.pick(sums, or: 0))
      }
      expectDistribution(policy.allocation(over: arms), "\(text), seed \(seed), \(arms)")
    }
  }

  @Test(
    "a thousand choices with a thousand million decisions each are allocated", arguments: learning)
  func many(text: String) throws {
    var random = SeededGenerator(seed: 3)
    // Of forty sorts, since integration is a hundred times slower when it is built for debugging.
    let arms = (0..<1000).map { _ in
      arm(50_000_000 + 1_500 * random.index(40), of: 1_000_000_000)
    }
    let result = try AllocationPolicies.named(text).allocation(over: arms)
    expectDistribution(result, text)
    #expect(result.refusal == nil)
    // A mean known to 1e-13 is blurred by rounding, and the error says so.
    #expect(result.error < (text.contains("sigma=1e-9") ? 0.1 : 1e-6))
  }

  @Test(
    "a larger sum never makes a choice less probable",
    arguments: [
      "greedy", "epsilon-greedy", "softmax", "ucb1", "ucb", "moss", "kl-ucb", "imed", "bayes-ucb",
      "epsilon-decreasing", "oc-ucb", "kl-ucb-plus", "kl-ucb++", "kl-ucb-gaussian",
      "kl-ucb-poisson", "kl-ucb-exponential",
    ])
  func monotone(text: String) throws {
    let policy = try AllocationPolicies.named(text)
    for seed in 0..<500 {
      var random = SeededGenerator(seed: UInt64(seed))
      var arms = (0..<3).map { _ in
        let decisions = 1 + random.index(30)
        return arm(random.index(decisions), of: decisions)
      }
      let before = policy.allocation(over: arms).probabilities[0]
      arms[0] = arm(arms[0].rewarded + 1, of: arms[0].decisions)
      #expect(policy.allocation(over: arms).probabilities[0] >= before, "\(text), seed \(seed)")
    }
  }
}
