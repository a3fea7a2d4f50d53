import Foundation
import TestSupport
import Testing

@testable import Bandits

@Suite("The weights of track-and-stop")
struct TrackAndStopWeightsTests {
  @Test("Garivier and Kaufmann's example is reproduced")
  func example() {
    let solved = TrackAndStopWeights(means: [0.5, 0.45, 0.43, 0.4])
    #expect(abs(solved.characteristicTime - 989.7921) < 5e-5)
    for (weight, known) in zip(solved.weights, [0.4165, 0.3903, 0.1362, 0.0570]) {
      #expect(abs(weight - known) < 5e-5)
    }
  }

  @Test("two normal variants get equal weights, and T* is 8/Δ² times the variance")
  func gaussian() {
    for (gap, deviation) in [(0.5, 1.0), (1e-6, 1), (3, 0.2), (1e200, 1e200)] {
      let solved = TrackAndStopWeights(
        means: [1, 1 + gap], rewards: .gaussian(deviation: deviation))
      let known = 8 * pow(deviation / (1 + gap - 1), 2)
      #expect(abs(solved.characteristicTime / known - 1) < 1e-9, "\(gap)")
      #expect(abs(solved.weights[0] - 0.5) < 1e-9, "\(gap)")
    }
  }

  /// The smallest cost, over the other variants, of telling the best one from it with given weights.
  private func value(_ weights: [Double], _ means: [Double], _ family: RewardFamily) -> Double {
    let best = means.indices.max { means[$0] < means[$1] } ?? 0
    return means.indices.filter { $0 != best }.map { other in
      let both =
        (weights[best] * means[best] + weights[other] * means[other])
        / (weights[best] + weights[other])
      return weights[best] * family.divergence(means[best], both)
        + weights[other] * family.divergence(means[other], both)
    }.min() ?? 0
  }

  @Test("the weights are optimal, and 1/T* is their value")
  func optimal() {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let isBernoulli = random.chance(0.5)
      let means = (0..<(2 + random.index(7))).map { _ in
        Double.random(in: 0.01...0.99, using: &random)
      }
      let family = isBernoulli ? RewardFamily.bernoulli : .gaussian
      let solved = TrackAndStopWeights(
        means: means, rewards: isBernoulli ? .bernoulli : .gaussian(deviation: 1))
      #expect(abs(solved.weights.reduce(0, +) - 1) < 1e-12, "seed \(seed)")
      let best = value(solved.weights, means, family)
      #expect(abs(best * solved.characteristicTime - 1) < 1e-8, "seed \(seed)")
      for _ in 0..<40 {
        var other = solved.weights.map { $0 * Double.random(in: 0.9...1.1, using: &random) }
        let total = other.reduce(0, +)
        for index in other.indices { other[index] /= total }
        #expect(value(other, means, family) <= best * (1 + 1e-9), "seed \(seed)")
      }
    }
  }

  @Test("extreme, tied, close and absent means have a result")
  func edges() {
    #expect(TrackAndStopWeights(means: []).weights == [])
    #expect(TrackAndStopWeights(means: [0.3]).weights == [1])
    #expect(TrackAndStopWeights(means: [0.3]).characteristicTime == 0)
    let tied = TrackAndStopWeights(means: [0.3, 0.7, 0.7])
    #expect(tied.weights == [0, 0.5, 0.5])
    #expect(tied.characteristicTime == .infinity)
    #expect(TrackAndStopWeights(means: [.nan, 1]).weights == [0.5, 0.5])
    let extremes: [[Double]] = [
      [0, 1], [0, 0, 1], [1, 1 - 1e-12, 0], [0.5, 0.5 + 1e-15], [0, 1e-300, 0.5],
    ]
    for means in extremes {
      let solved = TrackAndStopWeights(means: means)
      #expect(solved.weights.allSatisfy { $0 >= 0 && $0 <= 1 }, "\(means)")
      #expect(abs(solved.weights.reduce(0, +) - 1) < 1e-12, "\(means)")
      #expect(solved.characteristicTime > 0, "\(means)")
    }
  }

  @Test("the divergence is accurate for close means")
  func divergence() {
    let family = RewardFamily.bernoulli
    #expect(abs(family.divergence(0.5, 0.6) - 0.0204109973) < 1e-10)
    #expect(abs(family.divergence(0.1, 0.9) - 1.7577796619) < 1e-10)
    #expect(abs(family.divergence(0.8, 0.9) - 0.0444030076) < 1e-10)
    #expect(family.divergence(0, 0.25) == -log(0.75))
    #expect(abs(family.divergence(1, 0.25) + log(0.25)) < 1e-15)
    // To first order gap²/(2 p (1 − p)).
    let near = family.divergence(0.3, 0.3 + 1e-9)
    #expect(abs(near / (1e-18 / 0.42) - 1) < 1e-6)
  }
}
