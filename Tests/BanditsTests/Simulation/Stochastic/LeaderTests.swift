import Foundation
import Statistics
import TestSupport
import Testing

@testable import Bandits

/// Policies with a largest index, with arrays and all indices at every step.
private struct NaiveLeader {
  var epsilon = 0.0
  /// The index of a variant by its mean, how often it was rewarded, and the rewards of all.
  var index: (_ mean: Double, _ count: Double, _ total: Double) -> Double
  var counts: [Double]
  var sums: [Double]
  var there: [Bool]
  var isTried: [Bool]

  init(_ variants: Int, _ index: @escaping (Double, Double, Double) -> Double) {
    self.index = index
    (counts, sums) = (.init(repeating: 0, count: variants), .init(repeating: 0, count: variants))
    (there, isTried) = (.init(repeating: true, count: variants), sums.map { _ in false })
  }

  mutating func offer(_ available: [Bool]) {
    there = available
    isTried = available.indices.map { !available[$0] || counts[$0] > 0 }
  }

  mutating func learn(_ variant: Int, _ reward: Double) {
    counts[variant] += 1
    sums[variant] += reward
    isTried[variant] = true
  }

  /// Those of whom the policy takes any, besides exploring.
  private var best: (variants: [Int], isSure: Bool) {
    let fresh = there.indices.filter { !isTried[$0] }
    if !fresh.isEmpty { return (fresh, fresh.count == 1) }
    let values = there.indices.map { variant in
      guard there[variant] else { return Double.nan }
      guard counts[variant] > 0 else { return .infinity }
      return index(sums[variant] / counts[variant], counts[variant], counts.reduce(0, +))
    }
    let largest = values.filter { !$0.isNaN }.max()
    let tied = there.indices.filter { values[$0] == largest }
    let known = tied.isEmpty ? there.indices.filter { there[$0] } : tied
    return (known, known.count == 1)
  }

  mutating func choose(_ random: inout Xoshiro256) -> (variant: Int, propensity: Double) {
    let (best, isSure) = best
    var variant: Int
    let count = there.count { $0 }
    if epsilon > 0, Draw.unit(using: &random) < epsilon {
      variant = there.indices.filter { there[$0] }[Draw.index(below: count, using: &random)]
    } else {
      variant = best[isSure ? 0 : Draw.index(below: best.count, using: &random)]
    }
    isTried[variant] = true
    let share = best.contains(variant) ? 1 / Double(best.count) : 0
    return (variant, epsilon == 0 ? share : (1 - epsilon) * share + epsilon / Double(count))
  }
}

@Suite("Policies that cache the leader")
struct LeaderTests {
  /// Each policy with its index; the horizon is 500.
  private static let indices: [String: @Sendable (Double, Double, Double) -> Double] = [
    "ucb1": { $0 + (2 * log($2)).squareRoot() * (1 / $1.squareRoot()) },
    "ucb:alpha=0.3": { $0 + (0.3 * log($2) / 2).squareRoot() * (1 / $1.squareRoot()) },
    // Without a width there is still the least there can be.
    "ucb:alpha=0": { mean, count, _ in
      mean + Double.leastNormalMagnitude * (1 / count.squareRoot())
    },
    // Its width falls, where that of the others grows.
    "oc-ucb:alpha=1,horizon=500": {
      $0 + max(0, log(2) + (log(500) - log($2))).squareRoot() * (1 / $1.squareRoot())
    },
    "greedy": { mean, _, _ in mean },
    "epsilon-greedy:epsilon=0.2": { mean, _, _ in mean },
  ]

  private func expectTwin(
    _ text: String, seed: UInt64, steps: Int, comesAndGoes: Bool,
    reward: (_ variant: Int, inout SeededGenerator) -> Double
  ) throws {
    var data = SeededGenerator(seed: seed)
    let count = 1 + data.index(9)
    var state = try freshState(text, variants: count, horizon: 500)
    var twin = NaiveLeader(count, try #require(Self.indices[text]))
    if text.hasPrefix("epsilon") { twin.epsilon = 0.2 }
    var random = Xoshiro256(seed: seed)
    var pending: [(Choice, Double)] = []
    let lateness = data.pick([0, 0, 0.1, 0.8], or: 0)
    for step in 0..<steps {
      if comesAndGoes, data.chance(0.05) {
        var offered = (0..<count).map { _ in data.chance(0.6) }
        offered[data.index(count)] = true
        state.offer(offered)
        twin.offer(offered)
      }
      var other = random
      let choice = state.choose(.none, &random)
      let expected = twin.choose(&other)
      let comment = "\(text), seed \(seed), step \(step)"
      try #require(choice.variant == expected.variant && random == other, "\(comment)")
      #expect(abs(choice.propensity - expected.propensity) < 1e-12, "\(comment)")
      if !data.chance(0.02) { pending.append((choice, reward(choice.variant, &data))) }
      if data.chance(lateness) { continue }
      for (choice, reward) in pending {
        state.learn(choice, reward, .none)
        twin.learn(choice.variant, reward)
      }
      pending = []
    }
  }

  @Test(
    "choices, ties and random words are those of a full search",
    arguments: Array(indices.keys).sorted(), [false, true])
  func choices(text: String, comesAndGoes: Bool) throws {
    for seed in 0..<60 as Range<UInt64> {
      // Variants alike make ties.
      try expectTwin(text, seed: seed, steps: 300, comesAndGoes: comesAndGoes) {
        $1.chance([0.5, 0.5, 0.9, 0.1][$0 % 4]) ? 1 : 0
      }
      try expectTwin(text, seed: seed, steps: 100, comesAndGoes: comesAndGoes) {
        Double($0 % 3) * 1e-3 + Double.random(in: -1...1, using: &$1)
      }
    }
  }

  @Test("rewards of any size change nothing", arguments: Array(indices.keys).sorted())
  func sizes(text: String) throws {
    for seed in 0..<40 as Range<UInt64> {
      for size in [1e-300, 1e-16, 1e15, 1e300, .greatestFiniteMagnitude] {
        try expectTwin(text, seed: seed, steps: 60, comesAndGoes: seed % 2 == 0) {
          size * $1.pick([-1, 0, 1, 1, Double($0)], or: 1)
        }
      }
    }
  }
}
