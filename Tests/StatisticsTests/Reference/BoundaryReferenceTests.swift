import Testing

@testable import Statistics

@Suite("Reference numbers: uniform boundaries")
struct BoundaryReferenceTests {
  @Test("R18: mixtures")
  func boundaries() {
    let two = NormalMixture(tightestAt: 100)
    expectClose(two.rho, 12.60056, 1e-6)
    expectClose(two.logSupermartingale(10, 100), -0.6510052, 1e-6)
    expectClose(two.bound(100, alpha: 0.05), 30.35209, 1e-6)
    let one = NormalMixture(tightestAt: 100, twoSided: false)
    expectClose(one.logSupermartingale(10, 100), -0.06502391, 1e-6)
    expectClose(one.bound(100, alpha: 0.05), 27.66071, 1e-6)
    let exponential = GammaExponentialMixture(tightestAt: 100, scale: 2)
    expectClose(exponential.bound(100, alpha: 0.05), 33.02017, 1e-6)
    let poisson = GammaPoissonMixture(tightestAt: 100, scale: 2)
    expectClose(poisson.bound(100, alpha: 0.05), 30.1949, 3e-6)
    let binomial = BetaBinomialMixture(tightestAt: 100, below: 0.2, above: 0.8)
    expectClose(binomial.bound(100, alpha: 0.05), 31.4308, 3e-6)
  }

  @Test("R18: the confidence sequence of a proportion")
  func bernoulli() {
    let sequence = BernoulliSequence(tightestAt: 100)
    let interval = sequence.interval(Proportion(successes: 700, trials: 1000))
    expectInterval(interval, 0.651629, 0.745949, 2e-6)
    #expect(sequence.interval(Proportion(successes: 0, trials: 5))?.low == 0)
    #expect(sequence.interval(Proportion(successes: 5, trials: 5))?.high == 1)
    #expect(sequence.interval(Proportion(successes: 0, trials: 0)) == nil)
  }
}
