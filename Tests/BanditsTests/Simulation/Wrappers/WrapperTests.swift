import Foundation
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

/// A policy with given probabilities, which says them or not, and remembers what it is told.
private struct Sketch: PolicyState {
  var shares: [Double]
  var isOpen = true
  var memo = 0
  var told: [(choice: Choice, reward: Double)] = []

  mutating func choose(_ context: Context, _ random: inout Xoshiro256) -> Choice {
    let variant = Draw.index(weights: shares, using: &random)
    return Choice(variant, propensity: isOpen ? shares[variant] : .nan, memo: memo)
  }
  mutating func learn(_ choice: Choice, _ reward: Double, _ context: Context) {
    told.append((choice, reward))
  }
}

@Suite("Floors")
struct FloorTests {
  @Test(
    "the propensity, if known, is the frequency of the variant",
    arguments: [
      "ucb1", "fixed:variant=2", "exp3", "tsallis-inf", "hedge", "softmax", "weights:values=1;2;5",
      "exp3-ix", "exp3++",
    ])
  func frequencies(base: String) throws {
    var state = try freshState("floor:policy=(\(base)),probability=0.1", variants: 3)
    var random = Xoshiro256(seed: 3)
    for step in 0..<100 {
      let choice = state.choose(.none, &random)
      state.learn(choice, mixedReward(3)(step, choice.variant), .none)
    }
    var counts = [0.0, 0, 0]
    var propensities = [0.0, 0, 0]
    for _ in 0..<5000 {
      let choice = state.choose(.none, &random)
      counts[choice.variant] += 1
      propensities[choice.variant] = choice.propensity
      #expect(choice.propensity >= 0.1 && choice.propensity <= 0.8 + 1e-12)
    }
    #expect(abs(propensities.reduce(0, +) - 1) < 1e-9, "\(base)")
    for variant in 0..<3 {
      let p = propensities[variant]
      #expect(abs(counts[variant] / 5000 - p) < 4.5 * (p * (1 - p) / 5000).squareRoot())
    }
  }

  @Test("a policy learns what it can use")
  func told() {
    let cases: [(Sketch, isToldAll: Bool)] = [
      (Sketch(shares: [0, 1, 0]), true), (Sketch(shares: [0.2, 0.5, 0.3], isOpen: false), true),
      (Sketch(shares: [0.2, 0.5, 0.3]), false), (Sketch(shares: [0, 1, 0], memo: 7), false),
    ]
    for (base, isToldAll) in cases {
      for variant in 0..<3 {
        // Estimates that divide by what is told must be right on average.
        var state = FloorState(3, probability: 0.2, base)
        var random = Xoshiro256(seed: 11)
        var (weight, played) = (0.0, 0)
        let steps = 4000
        for _ in 0..<steps {
          let choice = state.choose(.none, &random)
          if choice.variant == variant { played += 1 }
          state.learn(choice, 1, .none)
        }
        let told = state.told.filter { $0.choice.variant == variant }
        weight = told.reduce(0) { $0 + 1 / $1.choice.propensity } / Double(steps)
        #expect(told.allSatisfy { $0.choice.memo == base.memo })
        if isToldAll { #expect(told.count == played) }
        guard !weight.isNaN, isToldAll || base.shares[variant] > 0 else { continue }
        #expect(abs(weight - 1) < 0.15, "\(base.shares), \(variant): \(weight)")
      }
    }
  }

  @Test("a floor has a known cost")
  func cost() throws {
    let found = try outcomes(
      "floor:policy=(fixed:variant=1),probability=0.1", Problems.b4, horizon: 2000, runs: 20)
    // Each of the two others is chosen 200 times, and costs 0.1 or 0.2.
    let regret = mean(found) { $0.points.last?.regret ?? 0 }
    #expect(abs(regret.mean - 60) < 4 * regret.error)
    #expect(
      try mean(
        outcomes(
          "floor:policy=(ucb1),probability=0", Problems.b4, horizon: 500, runs: 4)
      ) {
        $0.points.last?.regret ?? 0
      }.mean < 40)
  }

  @Test("the floor applies to the available variants")
  func absence() throws {
    var state = try freshState("floor:policy=(ucb1),probability=0.2", variants: 4)
    var random = Xoshiro256(seed: 6)
    for (step, there) in (0..<200).map({
      ($0, $0 / 20 % 2 == 0 ? [true, false, true, true] : [false, true, true, false])
    }) {
      state.offer(there)
      let choice = state.choose(.none, &random)
      // Before each variant was chosen once the policy draws among several, and does not say how.
      #expect(there[choice.variant] && !(choice.propensity < 0.2))
      state.learn(choice, mixedReward(6)(step, choice.variant), .none)
    }
  }

  @Test(
    "invalid parameters are rejected with a reason",
    arguments: [
      ("floor", "write floor:policy=(ucb1)"), ("floor:policy=(what)", "unknown policy \"what\""),
      ("floor:policy=(ucb1:x=1)", "ucb1 has no parameter"),
      ("floor:policy=(ucb1),probability=2", "from 0.0 to 1.0"),
      ("conservative:policy=(ucb1)", "baseline=NAME"),
      ("conservative:policy=(ucb1),baseline=9", "\"9\" of conservative"),
      ("conservative:baseline=1", "write conservative:policy=(ucb1)"),
    ])
  func refused(text: String, reason: String) {
    let error = #expect(throws: SpecificationError.self) {
      try Policies.named(text, variants: ["1", "2"])
    }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test("a floor that is too high is rejected, as is a policy for other problems")
  func problems() throws {
    let high = #expect(throws: SpecificationError.self) {
      try freshState("floor:policy=(ucb1),probability=0.3", variants: 4)
    }
    #expect(high?.description.contains("at most 0.25") == true)
    let any = Problem(variants: 2, horizon: 9)
    #expect(throws: SpecificationError.self) {
      try Policies.named("floor:policy=(thompson)").makeState(any)
    }
    #expect(throws: Never.self) { try Policies.named("floor:policy=(ucb1)").makeState(any) }
  }
}

extension FloorState {
  /// What a sketch was told.
  fileprivate var told: [(choice: Choice, reward: Double)] {
    (Mirror(reflecting: self).descendant("base") as? Sketch)?.told ?? []
  }
}

@Suite("Conservative policies")
struct ConservativeTests {
  @Test("the constraint is that of the paper")
  func condition() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let count = random.index(4) + 1
      let base = random.index(count)
      var budget = ConservativeBudget(count, baseline: base, alpha: 0.2, delta: 0.1)
      var rewards = [[Double]](repeating: [], count: count)
      var decided = [Double](repeating: 0, count: count)
      func bounds(_ variant: Int) -> (low: Double, high: Double) {
        let n = Double(rewards[variant].count)
        guard n > 0 else { return (0, 1) }
        let mean = rewards[variant].reduce(0, +) / n
        let level = log(Double(count) * n * n * n / 0.1) / n
        let grid = (1..<1000).map { Double($0) / 1000 }
        func kl(_ q: Double) -> Double {
          (mean > 0 ? mean * log(mean / q) : 0)
            + (mean < 1 ? (1 - mean) * log((1 - mean) / (1 - q)) : 0)
        }
        let inside = grid.filter { kl($0) <= level }
        return (min(inside.first ?? mean, mean), max(inside.last ?? mean, mean))
      }
      for _ in 0..<80 {
        let wanted = random.index(count)
        let t = decided.reduce(0, +) + 1
        let all = (0..<count).map(bounds)
        let factor = decided[base] - 0.8 * t
        var sum = all[wanted].low + factor * (factor < 0 ? all[base].high : all[base].low)
        for variant in 0..<count where variant != base {
          sum += decided[variant] * all[variant].low
        }
        // Bounds on a grid leave a little open.
        if wanted != base, abs(sum) > 0.003 * t {
          #expect(budget.allows(wanted) == (sum >= 0), "seed \(seed), \(sum)")
        }
        let variant = wanted == base || budget.allows(wanted) ? wanted : base
        budget.decide(variant)
        decided[variant] += 1
        let reward = random.chance(0.3 + 0.2 * Double(variant)) ? 1.0 : 0
        budget.learn(variant, reward)
        rewards[variant].append(reward)
      }
    }
  }

  @Test("the guarantee relative to the baseline holds at every step")
  func kept() throws {
    // All others are worse than the baseline, and uniform choices would lose a third.
    let steps = Checkpoints.given([10, 30, 100, 300, 1000])
    let name = "conservative:policy=(uniform),baseline=1,alpha=0.1"
    for outcome in try outcomes(name, Problems.b6, horizon: 1000, runs: 10, checkpoints: steps) {
      for (point, step) in zip(outcome.points, [10.0, 30, 100, 300, 1000]) {
        #expect(0.9 * step - point.regret >= 0.9 * 0.9 * step - 1e-9)
      }
      #expect(outcome.choices[1] > 0)
    }
    // A better variant is found all the same.
    let found = try outcomes(
      "conservative:policy=(kl-ucb),baseline=2,alpha=0.2", Problems.b6, horizon: 1500, runs: 4)
    #expect(found.allSatisfy { $0.choices[0] > 700 })
  }

  @Test("the propensity, if known, is the frequency of the variant")
  func propensity() throws {
    var state = try freshState("conservative:policy=(exp3),baseline=2,alpha=0.3", variants: 4)
    var random = Xoshiro256(seed: 5)
    for step in 0..<150 {
      let choice = state.choose(.none, &random)
      #expect(choice.propensity > 0 && choice.propensity <= 1 + 1e-12)
      state.learn(choice, mixedReward(5)(step, choice.variant), .none)
    }
    var counts = [0.0, 0, 0, 0]
    var sums = [0.0, 0, 0, 0]
    for _ in 0..<4000 {
      // The budget changes with each decision, so each is made from the same state.
      var same = state
      let choice = same.choose(.none, &random)
      counts[choice.variant] += 1
      sums[choice.variant] = choice.propensity
    }
    #expect(abs(sums.reduce(0, +) - 1) < 1e-9 || counts.contains(0))
    for variant in 0..<4 where counts[variant] > 0 {
      #expect(abs(counts[variant] / 4000 - sums[variant]) < 0.04)
    }
  }

  @Test(
    "delayed or huge rewards and a single variant do not trap",
    arguments: ["conservative:policy=(ucb1),baseline=1", "floor:policy=(thompson),probability=0.1"])
  func robust(name: String) throws {
    for (variants, horizon) in [(1, 1), (1, 50), (5, 200)] {
      for size in [1.0, 1e300, -1e300] where !name.contains("thompson") || size == 1 {
        let start = try freshState(name, variants: variants, horizon: horizon)
        let choices = wander(start, steps: horizon, seed: 2, late: 0.5) { step, variant in
          size * mixedReward(2)(step, variant)
        }
        #expect(
          choices.allSatisfy {
            $0.propensity > 0 && $0.propensity <= 1 + 1e-12 || $0.propensity.isNaN
          })
      }
    }
    let once = try outcomes(name, Problems.b4, horizon: 200, runs: 2, batch: 5)
    #expect(try once == outcomes(name, Problems.b4, horizon: 200, runs: 2, batch: 5))
  }
}
