import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Index estimates")
struct IndexEstimateTests {
  /// All that have estimates, with parameters.
  private static let texts = [
    "ucb1", "ucb", "ucb:alpha=0", "kl-ucb-gaussian:c=2", "oc-ucb:horizon=5000", "ucb1-tuned",
    "ucb-v",
    "ucb-v:zeta=1.2,c=0.5", "moss", "moss:horizon=500", "kl-ucb", "kl-ucb:c=3", "kl-ucb-plus",
    "kl-ucb++:horizon=5000", "imed", "bayes-ucb", "bayes-ucb:alpha=0.5,beta=3", "kl-ucb-poisson",
    "kl-ucb-poisson:c=2", "kl-ucb-exponential:c=1",
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
    tally.squares = tally.sum * Double.random(in: 0...1, using: &random)
    return tally
  }

  private func later(
    _ arm: ArmTally, _ now: IndexSituation, _ random: inout SeededGenerator
  ) -> IndexSituation {
    let growth = random.pick([1, 1 + 1e-6, 1.01, 1.5, 1e3], or: 2)
    return IndexSituation(
      decisions: (now.decisions * growth).rounded(.up), choices: now.choices,
      bestMean: max(arm.mean, min(1, now.bestMean * random.pick([1, 0.999, 1.001, 0.5], or: 1))))
  }

  @Test("an estimate is never below the index, or as close as it says", arguments: texts)
  func bounds(text: String) throws { try expectBounds(try indexPolicy(text), text) }

  private func expectBounds<P: IndexPolicy>(_ policy: P, _ text: String) throws {
    var finite = 0
    var tight = 0
    for seed in 0..<(text.contains("bayes") ? 400 : 3_000) {
      var random = SeededGenerator(seed: UInt64(seed))
      let (one, other) = (tally(&random), tally(&random))
      let now = IndexSituation(
        decisions: Double(one.decisions + other.decisions), choices: 2,
        bestMean: max(one.mean, other.mean))
      let index = policy.index(one, now)
      let terms = policy.terms(one, now, index: P.isEstimateClose ? .nan : index)
      let then = later(one, now, &random)
      let estimate = policy.estimate(one: terms, policy.abscissa(then))
      let value = policy.index(one, then)
      if P.isEstimateClose {
        let error = abs(estimate - value)
        // With a margin, rounding is allowed for as well.
        let rounding = P.margin > 0 ? 0x1p-44 * (abs(estimate) + abs(one.mean)) : 0
        #expect(error <= P.margin + rounding, "\(text), seed \(seed): \(estimate), \(value)")
      } else {
        #expect(estimate >= value, "\(text), seed \(seed): \(estimate), \(value)")
      }
      let first = policy.estimate(one: terms, policy.abscissa(now))
      if first < .infinity { finite += 1 }
      if first - index <= 1e-5 * (1 + abs(index)) { tight += 1 }
    }
    #expect(finite > 300 && tight > 150, "\(text): \(finite), \(tight)")
  }

  @Test(
    "an estimate that was made without the index is not below it, and is made only for a lower one")
  func belowBounds() throws {
    try expectBelowBounds(
      try BayesUCB { ($0.prior.alpha, $0.prior.beta) = (0.5, 3) })
  }

  private func expectBelowBounds(_ policy: some IndexPolicy) throws {
    var made = 0
    for seed in 0..<600 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (one, other) = (tally(&random), tally(&random))
      let now = IndexSituation(
        decisions: Double(one.decisions + other.decisions), choices: 2, bestMean: 0)
      let index = policy.index(one, now)
      let bound =
        random.chance(0.5)
        ? policy.index(other, now) : index + random.pick([-0.1, 0, 1e-12, 0.1, 3], or: 0)
      guard bound.isFinite, let terms = policy.terms(one, now, below: bound) else { continue }
      made += 1
      #expect(index < bound, "seed \(seed)")
      let then = later(one, now, &random)
      let estimate = policy.estimate(one: terms, policy.abscissa(then))
      #expect(estimate >= policy.index(one, then), "seed \(seed)")
    }
    #expect(made > 100, "\(made)")
  }

  @Test("an index exceeds a bound only if it does, however it is remembered", arguments: 0..<40)
  func memory(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let alpha = random.chance(0.5) ? 1 : 0.25
    let policy = try BayesUCB { $0.prior.alpha = alpha }
    var (memory, arm) = (BayesUCB.Memory(), ArmTally(decisions: 1))
    var (bound, count) = (0.0, 0)
    let rate = random.pick([0.05, 0.5, 0.9], or: 0.5)
    for _ in 0..<300 {
      let now = IndexSituation(
        decisions: Double(arm.decisions) * 1.5, choices: 2, bestMean: 0)
      let index = policy.index(arm, now)
      if random.chance(0.05) { bound = index + Double.random(in: -0.5..<0.1, using: &random) }
      if policy.exceeds(bound, arm, now, &memory) {
        #expect(index > bound, "seed \(seed)")
        count += 1
      } else {
        #expect(index < bound + 1e-3, "seed \(seed)")
      }
      let reward = random.chance(0.95) ? (random.chance(rate) ? 1 : 0) : 0.5
      arm.decisions += 1
      arm.sum += reward
    }
    #expect(count > 0, "seed \(seed)")
  }

  @Test("choices and ties are those of a policy that computes all indices", arguments: texts)
  func choices(text: String) throws {
    for seed in 0..<(text.contains("bayes") ? 20 : 40) {
      try expectTwin(try indexPolicy(text), seed: UInt64(seed), text)
    }
  }

  private func expectTwin<P: IndexPolicy>(_ policy: P, seed: UInt64, _ text: String) throws {
    var data = SeededGenerator(seed: seed)
    let count = 1 + data.index(data.pick([3, 10], or: 2))
    var state = try policy.makeState(Problem(variants: count, horizon: 5_000, rewards: 0...1))
    var random = Xoshiro256(seed: seed)
    var arms = [ArmTally](repeating: ArmTally(), count: count)
    var available = [Bool](repeating: true, count: count)
    for step in 0..<300 {
      if data.chance(0.02) {
        available = arms.indices.map { $0 == step % count || data.chance(0.7) }
        state.offer(available)
      }
      var twin = random
      let choice = state.choose(.none, &random)
      let expected = naive(policy, arms, available, step, &twin)
      #expect(choice == expected, "\(text), seed \(seed), step \(step)")
      #expect(random == twin, "\(text), seed \(seed), step \(step)")
      // Two of the variants alike make ties.
      var reward = data.chance([0.5, 0.5, 0.9, 0.02][choice.variant % 4]) ? 1.0 : 0
      if seed % 4 == 3, data.chance(0.1) { reward *= 0.75 }
      state.learn(choice, reward, .none)
      arms[choice.variant].decisions += 1
      arms[choice.variant].rewarded += reward > 0 ? 1 : 0
      arms[choice.variant].sum += reward
      arms[choice.variant].squares += reward * reward
    }
  }

  /// The choice by the indices of all variants.
  private func naive(
    _ policy: some IndexPolicy, _ arms: [ArmTally], _ available: [Bool], _ step: Int,
    _ random: inout Xoshiro256
  ) -> Choice {
    let there = arms.indices.filter { available[$0] }
    let fresh = there.filter { arms[$0].decisions == 0 }
    let now = IndexSituation(
      decisions: Double(step), choices: Double(arms.count), bestMean: arms.map(\.mean).max() ?? 0)
    let values = there.map { fresh.isEmpty ? policy.index(arms[$0], now) : 0 }
    let tied = fresh.isEmpty ? zip(there, values).filter { $1 == values.max() }.map(\.0) : fresh
    let place = tied.count == 1 ? 0 : Draw.index(below: tied.count, using: &random)
    return Choice(tied[place], propensity: 1 / Double(tied.count))
  }
}

extension IndexPolicy {
  /// The estimate of one variant.
  fileprivate func estimate(one terms: IndexTerms<Double>, _ x: Double) -> Double {
    let both = IndexTerms(
      a: SIMD2(repeating: terms.a), b: SIMD2(repeating: terms.b), c: SIMD2(repeating: terms.c))
    return estimate(both, x)[1]
  }
}
