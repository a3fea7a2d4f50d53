import Foundation
import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Policies for stochastic rewards that sample")
struct StochasticSamplingTests {
  /// How often each variant is chosen once these rewards were learned.
  private func frequencies(
    _ text: String, _ rewards: [[Double]], draws: Int = 3_000, horizon: Int = 1_000
  ) throws -> [Double] {
    let policy = try Policies.named(text)
    var state = try policy.makeState(
      Problem(variants: rewards.count, horizon: horizon, rewards: 0...1))
    var random = Xoshiro256(seed: 11)
    // Some policies choose each variant first, and some draw weights for a reward at its decision.
    for _ in rewards { _ = state.choose(.none, &random) }
    for (variant, values) in rewards.enumerated() {
      for value in values {
        let memo = Int(truncatingIfNeeded: random.next())
        state.learn(Choice(variant, memo: memo), value, .none)
      }
    }
    var counts = [Double](repeating: 0, count: rewards.count)
    for _ in 0..<draws { counts[state.choose(.none, &random).variant] += 1 }
    return counts.map { $0 / Double(draws) }
  }

  private func expect(_ found: [Double], _ expected: [Double], draws: Double = 3_000) {
    for (one, other) in zip(found, expected) {
      let deviation = (other * (1 - other) / draws).squareRoot()
      #expect(abs(one - other) <= 4.5 * deviation + 1e-9, "\(found), \(expected)")
    }
  }

  private func coins(_ rewarded: Int, of count: Int) -> [Double] {
    (0..<count).map { $0 < rewarded ? 1 : 0 }
  }

  @Test("BESA compares with as many rewards, drawn without replacement")
  func besa() throws {
    // Of ten rewards with seven successes two are drawn: both are successes in 21 of 45 cases, and else the one with
    // fewer rewards wins.
    let two = try frequencies("besa", [coins(1, of: 2), coins(7, of: 10)])
    expect(two, [24.0 / 45, 21.0 / 45])
    expect(
      try frequencies("besa", [[1, 0], [1, 0], [0, 1]]), [1.0 / 3, 1.0 / 3, 1.0 / 3])
    expect(try frequencies("besa", [[0.2, 0.1], [0.5, 0.6], [0.3, 0.4]]), [0, 1, 0])
  }

  @Test("top-two sampling has the probabilities of Russo's algorithm 3")
  func topTwo() throws {
    let best = try AllocationPolicies.named("thompson").allocation(
      over: [arm(3, of: 9), arm(5, of: 9), arm(2, of: 9)]
    ).probabilities
    for beta in [0, 0.3, 1] {
      let expected = best.indices.map { j in
        let second = best.indices.filter { $0 != j }.map { best[$0] / (1 - best[$0]) }
        return best[j] * (beta + (1 - beta) * second.reduce(0, +))
      }
      let rewards = [coins(3, of: 9), coins(5, of: 9), coins(2, of: 9)]
      expect(try frequencies("top-two:beta=\(beta)", rewards), expected)
    }
  }

  @Test("top-two sampling finds another variant if one is certain to be the best")
  func topTwoFallback() throws {
    let rewards = [coins(0, of: 300), coins(300, of: 300), coins(30, of: 300)]
    let found = try frequencies("top-two:beta=0", rewards, draws: 30)
    #expect(found == [0, 0, 1])
    let outcome = try outcomes("top-two", Problems.b6, horizon: 200, runs: 3)
    #expect(outcome.allSatisfy { $0.recommendation == 0 })
  }

  @Test("Gamma posteriors win with the probability of the incomplete Beta function")
  func poisson() throws {
    let rewards = [[2.0, 0, 1], [1.0, 1, 0, 1, 0, 1]]
    // G₁/5 > G₂/8 is G₁/(G₁ + G₂) > 5/13.
    let first = SpecialFunctions.incompleteBetaComplement(5.0 / 13, 5, 6)
    expect(try frequencies("thompson-gamma-poisson:shape=2,rate=2", rewards), [first, 1 - first])
  }

  @Test(
    "with an unknown variance the posterior of the mean is Student's", arguments: [-0.5, 0, 1.5])
  func unknownVariance(alpha: Double) throws {
    let rewards = [0.1, 0.9, 0.4, 0.8, 0.7]
    let mean = rewards.reduce(0, +) / 5
    let spread = rewards.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
    // The other variant always gives 0.75, and its posterior is a point.
    let constant = [Double](repeating: 0.75, count: 5)
    let nu = 5 + 2 * alpha - 1
    let t = (0.75 - mean) / (spread / (5 * nu)).squareRoot()
    let chance = 0.5 * SpecialFunctions.incompleteBeta(nu / (nu + t * t), nu / 2, 0.5)
    expect(
      try frequencies("thompson-gaussian-unknown:alpha=\(alpha)", [rewards, constant]),
      [chance, 1 - chance])
  }

  @Test("with an unknown variance each variant first comes as often as the prior needs")
  func unknownVarianceFirst() throws {
    for (alpha, first) in [(-1.0, 5), (-0.5, 4), (0, 3), (0.5, 2), (3, 2)] {
      let run = try outcomes(
        "thompson-gaussian-unknown:alpha=\(alpha)", Problems.b4, horizon: 3 * first, runs: 2)
      #expect(run.allSatisfy { $0.choices == [first, first, first] }, "\(alpha)")
    }
  }

  @Test("bootstrap replicates have the spread of the mean", arguments: ["double", "poisson"])
  func bootstrap(weights: String) throws {
    // The mean of 60 with 30 successes has the standard deviation 0.065; 0.6 is 1.55 of them away.
    let found = try frequencies(
      "thompson-bootstrap:replicates=400,weights=\(weights)",
      [coins(30, of: 60), [Double](repeating: 0.6, count: 200)])
    #expect(found[0] > 0.02 && found[0] < 0.12, "\(found)")
  }
}
