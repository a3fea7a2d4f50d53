import Statistics
import Testing

@testable import Scenarios

@Suite("Beta posteriors")
struct ArmPosteriorTests {
  @Test("the probability to be best agrees with published values")
  func published() {
    let cases: [(ArmPosterior, ArmPosterior, Double)] = [
      (ArmPosterior(a: 1, b: 1), ArmPosterior(a: 2, b: 1), 2.0 / 3),
      (ArmPosterior(a: 10, b: 10), ArmPosterior(a: 12, b: 8), 0.7425933502),
      (ArmPosterior(a: 51, b: 951), ArmPosterior(a: 61, b: 941), 0.8356112649),
      (ArmPosterior(a: 3, b: 5), ArmPosterior(a: 4, b: 4), 0.7039627040),
    ]
    for (first, second, expected) in cases {
      let found = ArmPosterior.probabilitiesOfBest([first, second])
      #expect(abs(found[1] - expected) < 1e-4, "\(found) for \(expected)")
      #expect(abs(found[0] + found[1] - 1) < 1e-12)
    }
  }

  @Test(
    "it agrees with sampling for posteriors of five variants",
    arguments: 1...6 as ClosedRange<UInt64>)
  func againstSampling(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let posteriors = (0..<5).map { _ in
      let scale = 1 << Draw.index(below: 10, using: &generator)
      return ArmPosterior(
        a: 1 + Draw.index(below: scale, using: &generator),
        b: 1 + Draw.index(below: 8 * scale, using: &generator))
    }
    var wins = Array(repeating: 0.0, count: 5)
    let rounds = 20_000
    for _ in 0..<rounds {
      let draws = posteriors.map { Draw.beta(Double($0.a), Double($0.b), using: &generator) }
      if let best = draws.indices.max(by: { draws[$0] < draws[$1] }) { wins[best] += 1 }
    }
    for (found, win) in zip(ArmPosterior.probabilitiesOfBest(posteriors), wins) {
      let error = (max(found * (1 - found), 1e-4) / Double(rounds)).squareRoot()
      #expect(abs(found - win / Double(rounds)) < 4.5 * error + 1e-3, "seed \(seed) \(posteriors)")
    }
  }

  @Test(
    "equal posteriors have equal probabilities, and one far ahead has all",
    arguments: [1, 2, 5, 40])
  func extremes(count: Int) {
    let equal = Array(repeating: ArmPosterior(a: 3, b: 9), count: count)
    for share in ArmPosterior.probabilitiesOfBest(equal) {
      #expect(abs(share - 1 / Double(count)) < 1e-12)
    }
    let ahead = equal + [ArmPosterior(a: 900_000_000, b: 1_000)]
    #expect(ArmPosterior.probabilitiesOfBest(ahead).last.map { $0 > 0.999 } == true)
  }

  @Test("the density matches the powers, without overflow for millions of trials")
  func density() {
    let small = ArmPosterior(a: 4, b: 8)
    let direct = { (x: Double) in
      x * x * x * (1 - x) * (1 - x) * (1 - x) * (1 - x) * (1 - x) * (1 - x) * (1 - x)
    }
    for x in [0.01, 0.2, 0.3, 0.5, 0.99] {
      let expected = direct(x) / direct(0.3)
      #expect(abs(small.relativeDensity(at: x) - expected) < 1e-12 * expected)
    }
    let large = ArmPosterior(a: 500_001, b: 4_500_001)
    #expect(abs(large.relativeDensity(at: 0.1) - 1) < 1e-6)
    for x in [0.001, 0.099, 0.101, 0.9, 0.999] {
      let value = large.relativeDensity(at: x)
      #expect(value >= 0 && value < 1)
    }
    // At one standard deviation, nearly exp(−1/2).
    let side = large.relativeDensity(at: 0.1 + large.standardDeviation)
    #expect(abs(side - 0.6065) < 0.002)
  }
}
