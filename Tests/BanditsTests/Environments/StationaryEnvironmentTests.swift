import Statistics
import Testing

@testable import Bandits

@Suite("Stationary environments")
struct StationaryEnvironmentTests {
  private let count = 10_000

  @Test("normal rewards are normal")
  func gaussian() throws {
    let values = try sample("gaussian:means=3;-2,deviations=1;0.25", variant: 1, count: count)
    #expect(distanceRatio(values) { StandardNormal.cdf(($0 + 2) / 0.25) } < 1)
    let all = try sample("gaussian:means=3;-2", variant: 0, count: count)
    #expect(distanceRatio(all) { StandardNormal.cdf($0 - 3) } < 1)
    #expect(try sample("gaussian:means=3,deviations=0", variant: 0, count: 5) == [3, 3, 3, 3, 3])
  }

  @Test("exponential rewards are exponential")
  func exponential() throws {
    let values = try sample("exponential:means=1;7", variant: 1, count: count)
    // The exponential distribution is the Gamma distribution of shape 1.
    #expect(distanceRatio(values) { SpecialFunctions.incompleteGamma(1, $0 / 7) } < 1)
  }

  @Test("Beta rewards are Beta")
  func beta() throws {
    for (text, a, b) in [
      ("beta:a=2;0.5,b=3;0.25", 0.5, 0.25), ("beta:means=0.2;0.4,concentration=10", 4, 6),
    ] {
      let values = try sample(text, variant: 1, count: count)
      #expect(distanceRatio(values) { SpecialFunctions.incompleteBeta($0, a, b) } < 1, "\(text)")
      let arms = try #require(try EnvironmentExamples.make(text).arms)
      #expect(abs(arms[1].mean - a / (a + b)) < 1e-15)
    }
  }

  @Test("counts are Poisson")
  func poisson() throws {
    for (variant, mean) in [2.5, 40].enumerated() {
      let values = try sample("poisson:means=2.5;40", variant: variant, count: count)
      // P(X ≤ k) is the upper tail of the Gamma distribution of shape k + 1 at the mean.
      for k in stride(from: 0.0, through: 2 * mean, by: 3) {
        let p = SpecialFunctions.incompleteGammaComplement(k + 1, mean)
        #expect(hasMean(values.map { $0 <= k ? 1 : 0 }, p) || p > 0.999 || p < 0.001, "\(k)")
      }
    }
    #expect(try sample("poisson:means=0", variant: 0, count: 3) == [0, 0, 0])
  }

  @Test("probabilities of 0 and 1 are certain")
  func certain() throws {
    #expect(try sample("bernoulli:means=0;1", variant: 0, count: 500).allSatisfy { $0 == 0 })
    #expect(try sample("bernoulli:means=0;1", variant: 1, count: 500).allSatisfy { $0 == 1 })
    #expect(try sample("constant:values=4;-5", variant: 1, count: 3) == [-5, -5, -5])
  }

  @Test("variants of one step, and steps of one variant, are independent")
  func independent() throws {
    let text = "gaussian:means=0;0"
    let (first, second) = (
      try sample(text, variant: 0, count: count), try sample(text, variant: 1, count: count)
    )
    #expect(hasMean(zip(first, second).map { $0 * $1 }, 0))
    #expect(hasMean(zip(first, first.dropFirst()).map { $0 * $1 }, 0))
    #expect(hasMean(zip(first, second.dropFirst()).map { $0 * $1 }, 0))
    #expect(hasMean(zip(first.dropFirst(), second).map { $0 * $1 }, 0))
  }

  @Test("the variants of a prior are redrawn in each run")
  func bayesian() throws {
    var means: [Double] = []
    for seed in 0..<400 as Range<UInt64> {
      let run = try steps("bayesian:a=2,b=5,variants=10", seed: seed)
      means += (0..<10).map { run.mean($0) }
    }
    #expect(distanceRatio(means) { SpecialFunctions.incompleteBeta($0, 2, 5) } < 1)
    means = []
    for seed in 0..<400 as Range<UInt64> {
      let run = try steps("bayesian:prior=gaussian,mean=3,deviation=2,variants=10", seed: seed)
      means += (0..<10).map { run.mean($0) }
    }
    #expect(distanceRatio(means) { StandardNormal.cdf(($0 - 3) / 2) } < 1)
    #expect(try EnvironmentExamples.make("bayesian").arms == nil)
  }

  @Test("the best of ten normal variants has the mean 1.53875 of the ten-armed testbed")
  func testbed() throws {
    let best = try (0..<3000 as Range<UInt64>).map { seed in
      try steps("bayesian:prior=gaussian", seed: seed)
    }.map { run in (0..<10).map { run.mean($0) }.max() ?? 0 }
    #expect(hasMean(best, 1.53875273))
  }
}
