import Foundation
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Fixed-confidence best-arm identification")
struct FixedConfidenceTests {
  /// The places whose value is the largest but for rounding.
  private func largest(_ values: [Double]) -> [Int] {
    let top = values.max() ?? 0
    return values.places.filter { values[$0] >= top - 1e-9 * max(1, abs(top)) }
  }

  @Test("lil' UCB chooses and stops by its paper's formulas")
  func lil() throws {
    let (delta, epsilon, beta, sigma) = (0.1, 0.05, 0.8, 0.5)
    let c = (2 + epsilon) / epsilon * pow(1 / log(1 + epsilon), 1 + epsilon)
    let inner = pow(sqrt(1 + delta) - 1, 2) / (4 * c)
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let table = RewardTable(variants: 2 + random.index(4), steps: 400, &random)
      var state = try state(
        LilUCB.self, "lil-ucb:delta=0.1,epsilon=0.05,beta=0.8,lambda=1.5",
        Problem(variants: table.rewards.count, horizon: 400))
      var stopped: Int?
      _ = play(&state, table, steps: 400, seed: seed) { choice, seen in
        if stopped == nil, seen.allSatisfy({ !$0.isEmpty }) {
          let total = seen.reduce(0) { $0 + $1.count }
          stopped = seen.indices.first {
            Double(seen[$0].count) >= 1 + 1.5 * Double(total - seen[$0].count)
          }
        }
        if let stopped {
          #expect(choice == Choice(stopped), "seed \(seed)")
        } else if seen.allSatisfy({ !$0.isEmpty }) {
          let bounds = seen.map { rewards in
            let n = Double(rewards.count)
            return rewards.plainMean + (1 + beta) * (1 + sqrt(epsilon))
              * sqrt(2 * sigma * sigma * (1 + epsilon) * log(log((1 + epsilon) * n) / inner) / n)
          }
          #expect(largest(bounds).contains(choice.variant), "seed \(seed)")
        } else {
          #expect(seen[choice.variant].isEmpty, "seed \(seed)")
        }
      }
      #expect(state.hasStopped == (stopped != nil), "seed \(seed)")
    }
  }

  @Test(
    "LUCB1 alternates between the leader and its challenger, and stops when their bounds separate")
  func lucb() throws {
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let k = 2 + random.index(4)
      let epsilon = random.chance(0.5) ? 0.2 : 0
      let table = RewardTable(variants: k, steps: 1500, &random)
      var state = try state(
        LUCB.self, "lucb:delta=0.1,epsilon=\(epsilon)", Problem(variants: k, horizon: 1500))
      var round = 0
      var pair: [Int] = []
      var stopped: Int?
      _ = play(&state, table, steps: 1200, seed: seed) { choice, seen in
        guard seen.allSatisfy({ !$0.isEmpty }) else { return }
        if pair.isEmpty, stopped == nil {
          round += 1
          let width = seen.map {
            sqrt(log(1.25 * Double(k) * pow(Double(round), 4) / 0.1) / (2 * Double($0.count)))
          }
          let means = seen.map(\.plainMean)
          let h = means.indices.max { means[$0] < means[$1] } ?? 0
          let others = means.indices.filter { $0 != h }
          let l = others.max { means[$0] + width[$0] < means[$1] + width[$1] } ?? 0
          pair = [h, l]
          if means[l] + width[l] - (means[h] - width[h]) < epsilon { stopped = h }
        }
        if let stopped {
          #expect(choice == Choice(stopped), "seed \(seed)")
        } else {
          #expect(choice.variant == pair.removeFirst(), "seed \(seed)")
        }
      }
      #expect(state.hasStopped == (stopped != nil), "seed \(seed)")
    }
  }

  private func naiveDivergence(_ p: Double, _ q: Double) -> Double {
    (p > 0 ? p * log(p / q) : 0) + (p < 1 ? (1 - p) * log((1 - p) / (1 - q)) : 0)
  }

  @Test("track-and-stop tracks its weights and stops by Chernoff's rule")
  func trackAndStop() throws {
    for seed in 0..<25 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let k = 2 + random.index(3)
      let isProven = random.chance(0.5)
      let table = RewardTable(variants: k, steps: 300, &random, isBinary: true)
      var state = try state(
        TrackAndStop.self,
        "track-and-stop:delta=0.1,threshold=\(isProven ? "proven" : "practical")",
        Problem(variants: k, horizon: 300))
      var stopped: Int?
      _ = play(&state, table, steps: 200, seed: seed) { choice, seen in
        let means = seen.map { $0.isEmpty ? 0 : $0.plainMean }
        let counts = seen.map { Double($0.count) }
        let t = counts.reduce(0, +)
        let best = means.indices.max { means[$0] < means[$1] } ?? 0
        if stopped == nil, !counts.contains(0) {
          let evidence = means.indices.filter { $0 != best }.map { other -> Double in
            if means[other] == means[best] { return 0 }
            let both = (seen[best] + seen[other]).plainMean
            return counts[best] * naiveDivergence(means[best], both)
              + counts[other] * naiveDivergence(means[other], both)
          }
          let threshold = isProven ? log(2 * t * Double(k - 1) / 0.1) : log((1 + log(t)) / 0.1)
          if (evidence.min() ?? 0) > threshold { stopped = best }
        }
        if let stopped {
          #expect(choice == Choice(stopped), "seed \(seed)")
        } else if counts.contains(0) {
          #expect(seen[choice.variant].isEmpty, "seed \(seed)")
        } else if let fewest = counts.min(), fewest < sqrt(t) - Double(k) / 2 {
          #expect(counts[choice.variant] == fewest, "seed \(seed)")
        } else {
          let weights = TrackAndStopWeights(means: means).weights
          let behind = means.indices.map { t * weights[$0] - counts[$0] }
          #expect(largest(behind).contains(choice.variant), "seed \(seed)")
        }
      }
      #expect(state.hasStopped == (stopped != nil), "seed \(seed)")
    }
  }

  @Test(
    "wrong recommendations are as rare as requested",
    arguments: ["lucb:delta=0.1", "lil-ucb:delta=0.1,lambda=1.5", "track-and-stop:delta=0.1"])
  func errors(policy: String) throws {
    let runs = try outcomes(policy, "bernoulli:means=0.95;0.3", horizon: 500, runs: 60)
    let stopped = runs.filter { $0.stopped != nil }
    #expect(stopped.count >= 55, "\(policy)")
    // 60 runs with 6 errors on average: 4 standard deviations more would be 15.
    #expect(runs.count { $0.recommendation != 0 } <= 6, "\(policy)")
    for run in stopped {
      #expect(run.points.last?.simpleRegret == (run.recommendation == 0 ? 0 : 0.95 - 0.3))
    }
  }

  @Test(
    "delayed rewards, one variant and one step are harmless",
    arguments: ["lucb", "lil-ucb", "track-and-stop", "lucb:epsilon=0.3"])
  func late(policy: String) throws {
    for world in ["bernoulli:means=0.5", Problems.b6, "bernoulli:means=0;0;1", Problems.b5] {
      for batch in [1, 7, 1000] {
        let runs = try outcomes(policy, world, horizon: 150, runs: 2, batch: batch)
        #expect(runs.allSatisfy { $0.choices.reduce(0, +) == 150 })
        #expect(runs == (try outcomes(policy, world, horizon: 150, runs: 2, batch: batch)))
      }
      #expect(try outcomes(policy, world, horizon: 1, runs: 1).count == 1)
    }
  }

  /// Theorem 1 of Garivier and Kaufmann: T*·kl(δ, 1 − δ) decisions are the least. Their rule needs somewhat more at
  /// this δ, and uniform decisions several times as many.
  @Test(
    "track-and-stop needs a small multiple of the lower bound of decisions",
    .enabled(if: LongTests.areWanted))
  func nearBound() throws {
    let means = [0.3, 0.21, 0.2, 0.19, 0.18]
    let runs = try outcomes(
      "track-and-stop:delta=0.1",
      "bernoulli:means=" + means.map { "\($0)" }.joined(separator: ";"), horizon: 10_000, runs: 40)
    let stopped = mean(runs) { Double($0.stopped ?? 10_000) }
    let least =
      TrackAndStopWeights(means: means).characteristicTime * naiveDivergence(0.1, 0.9)
    #expect(stopped.mean > least, "\(stopped) \(least)")
    #expect(stopped.mean < 4 * least, "\(stopped) \(least)")
    #expect(runs.count { $0.recommendation != 0 } <= 4)
  }

  @Test("lil' UCB takes rewards of any size")
  func huge() throws {
    var state = try state(LilUCB.self, "lil-ucb", Problem(variants: 3, horizon: 10))
    var random = Xoshiro256(seed: 1)
    for step in 0..<50 {
      let choice = state.choose(.none, &random)
      state.learn(choice, step % 3 == 0 ? 1e300 : -1e300, .none)
    }
    #expect((0..<3).contains(state.choose(.none, &random).variant))
  }
}
