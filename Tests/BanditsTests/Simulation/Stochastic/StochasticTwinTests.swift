import Foundation
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits

/// Plays a policy with rewards at once, and hands each choice to a twin before its reward is known.
private func play<P: Policy>(
  _ text: String, as type: P.Type, variants: Int, steps: Int, seed: UInt64,
  reward: (Int, inout SeededGenerator) -> Double,
  check: (Choice) -> Void, learn: (Choice, Double) -> Void
) throws {
  var data = SeededGenerator(seed: seed)
  var random = Xoshiro256(seed: seed)
  let policy = try P(Specification(parsing: text), variants: [])
  var state = try policy.makeState(
    Problem(variants: variants, horizon: steps, rewards: 0...1))
  for _ in 0..<steps {
    let choice = state.choose(.none, &random)
    check(choice)
    let value = reward(choice.variant, &data)
    state.learn(choice, value, .none)
    learn(choice, value)
  }
}

@Suite("Policies for stochastic rewards follow their pseudocode")
struct StochasticTwinTests {
  private func coin(_ variant: Int, _ random: inout SeededGenerator) -> Double {
    random.chance([0.3, 0.5, 0.55, 0.8][variant % 4]) ? 1 : 0
  }

  private func real(_ variant: Int, _ random: inout SeededGenerator) -> Double {
    0.1 * Double(variant % 4) + Double.random(in: 0..<0.7, using: &random)
  }

  @Test("DMED goes through the lists of figure 1", arguments: 0..<20)
  func dmed(seed: UInt64) throws {
    let count = 1 + Int(seed) % 5
    var current = Set(0..<count)
    var removed = current
    var next: Set<Int> = []
    var isFirst = true
    var (n, s) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
    try play(
      "dmed", as: DMED.self, variants: count, steps: 300, seed: seed, reward: coin,
      check: { choice in
        if current.isEmpty { (current, removed, next, isFirst) = (next, next, [], false) }
        #expect(current.contains(choice.variant), "seed \(seed)")
        if !isFirst { #expect(choice.variant == current.min() && choice.propensity == 1) }
      },
      learn: { choice, reward in
        n[choice.variant] += 1
        s[choice.variant] += reward
        current.remove(choice.variant)
        removed.remove(choice.variant)
        let best = (0..<count).map { n[$0] > 0 ? s[$0] / n[$0] : 0 }.max() ?? 0
        for j in 0..<count where !removed.contains(j) {
          let kl = BernoulliDivergence.divergence(s[j] / n[j], best)
          if n[j] * kl <= log(n.reduce(0, +)) - log(n[j]) { next.insert(j) }
        }
      })
  }

  @Test("UCB2 plays the epochs of figure 2", arguments: [0.001, 0.1, 0.5, 0.9])
  func ucb2(alpha: Double) throws {
    for seed in 0..<5 as Range<UInt64> {
      let count = 1 + Int(seed)
      var (n, s) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
      var r = [Double](repeating: 0, count: count)
      var (epoch, left) = (0, 0.0)
      func tau(_ r: Double) -> Double { pow(1 + alpha, r).rounded(.up) }
      try play(
        "ucb2:alpha=\(alpha)", as: UCB2.self, variants: count, steps: 400, seed: seed,
        reward: real,
        check: { choice in
          let t = n.reduce(0, +)
          if Int(t) < count {
            #expect(n[choice.variant] == 0)
            return
          }
          while left == 0 {
            let values = (0..<count).map { j in
              s[j] / n[j] + sqrt((1 + alpha) * log(M_E * t / tau(r[j])) / (2 * tau(r[j])))
            }
            epoch = values.firstIndex(of: values.max() ?? 0) ?? 0
            left = tau(r[epoch] + 1) - tau(r[epoch])
            r[epoch] += 1
          }
          left -= 1
          #expect(choice.variant == epoch, "seed \(seed), \(t)")
        },
        learn: { choice, reward in
          n[choice.variant] += 1
          s[choice.variant] += reward
        })
    }
  }

  @Test("successive elimination eliminates the variants of algorithm 3")
  func elimination() throws {
    var stops = 0
    for seed in 0..<10 as Range<UInt64> {
      var left = Array(0..<4)
      var turn: [Int] = []
      var t = 0.0
      var sums = [0.0, 0, 0, 0]
      try play(
        "successive-elimination:delta=0.5,c=1", as: SuccessiveElimination.self, variants: 4,
        steps: 1_500, seed: seed,
        reward: { variant, random in random.chance([0.05, 0.1, 0.5, 0.95][variant]) ? 1 : 0 },
        check: { choice in
          if turn.isEmpty {
            if t > 0, left.count > 1 {
              let best = left.map { sums[$0] / t }.max() ?? 0
              let bound = 2 * sqrt(log(4 * t * t / 0.5) / t)
              left.removeAll { best - sums[$0] / t >= bound }
            }
            turn = left
            t += 1
          }
          #expect(turn.contains(choice.variant), "seed \(seed), \(t)")
          if t > 1 { #expect(choice.variant == turn.first, "seed \(seed), \(t)") }
          turn.removeAll { $0 == choice.variant }
        },
        learn: { choice, reward in sums[choice.variant] += reward })
      if left == [3] { stops += 1 }
    }
    #expect(stops == 10)
    let outcome = try outcomes(
      "successive-elimination:delta=0.5,c=1", Problems.b6, horizon: 2_000, runs: 3)
    for run in outcome {
      let stopped = try #require(run.stopped)
      #expect(run.recommendation == 0 && stopped < 2_000)
    }
  }

  @Test("the gradient bandit follows equation 2.12", arguments: ["yes", "no"])
  func gradient(baseline: String) throws {
    for seed in 0..<5 as Range<UInt64> {
      var preferences = [0.0, 0, 0, 0]
      var (sum, n) = (0.0, 0.0)
      func share(_ variant: Int) -> Double {
        exp(preferences[variant]) / preferences.map { exp($0) }.reduce(0, +)
      }
      try play(
        "gradient:alpha=0.3,baseline=\(baseline)", as: Gradient.self, variants: 4, steps: 200,
        seed: seed, reward: real,
        check: { #expect(abs($0.propensity - share($0.variant)) < 1e-12, "seed \(seed)") },
        learn: { choice, reward in
          let origin = baseline == "no" ? 0 : n > 0 ? sum / n : reward
          let shares = (0..<4).map(share)
          for j in 0..<4 {
            let part = j == choice.variant ? 1 - shares[j] : -shares[j]
            preferences[j] += 0.3 * (reward - origin) * part
          }
          (sum, n) = (sum + reward, n + 1)
        })
    }
  }

  @Test("exploring policies choose with the probabilities from tallies", arguments: 0..<5)
  func explorers(seed: UInt64) throws {
    try expectShares("epsilon-decreasing:c=0.5,d=0.4", as: EpsilonDecreasing.self, seed: seed)
    try expectShares("epsilon-greedy:epsilon=0.4", as: EpsilonGreedy.self, seed: seed)
  }

  private func expectShares<P: Policy>(_ text: String, as type: P.Type, seed: UInt64) throws {
    let policy = try AllocationPolicies.named(text)
    var arms = [ArmTally](repeating: ArmTally(), count: 4)
    try play(
      text, as: type, variants: 4, steps: 300, seed: seed, reward: coin,
      check: { choice in
        let shares = policy.allocation(over: arms).probabilities
        #expect(abs(choice.propensity - shares[choice.variant]) < 1e-12, "\(text), seed \(seed)")
      },
      learn: { choice, reward in
        arms[choice.variant].decisions += 1
        arms[choice.variant].sum += reward
      })
  }

  @Test("decreasing epsilon is that of figure 3")
  func epsilonDecreasing() throws {
    let arms = [arm(3, of: 9), arm(1, of: 200), arm(60, of: 80), arm(0, of: 11)]
    let shares = try AllocationPolicies.named("epsilon-decreasing:c=0.5,d=0.4").allocation(
      over: arms
    ).probabilities
    let epsilon = 0.5 * 4 / (0.4 * 0.4 * 301)
    #expect(abs(shares[2] - (1 - epsilon + epsilon / 4)) < 1e-12)
    #expect(abs(shares[0] - epsilon / 4) < 1e-12)
  }
}
