import Statistics
import Testing

@Suite struct DrawGammaTests {
  static let seeds: [UInt64] = [1, 2, 3]

  @Test(arguments: seeds)
  func exponentialDrawsFollowTheirDistribution(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let sample = (0..<100_000).map { _ in Draw.exponential(rate: 4, using: &generator) }
    #expect(kolmogorovSmirnovRatio(sample) { -Double.expMinusOne(-4 * $0) } <= 1)
    let deviations = momentDeviations(sample, mean: 0.25, variance: 0.0625, excessKurtosis: 6)
    #expect(deviations.mean <= 5)
    #expect(deviations.variance <= 5)
  }

  @Test(arguments: [0.2, 0.7, 1, 1.5, 4, 30, 1e6], seeds)
  func gammaDrawsHaveTheRightMoments(shape: Double, seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let sample = (0..<100_000).map { _ in Draw.gamma(shape: shape, scale: 2, using: &generator) }
    let deviations = momentDeviations(
      sample, mean: 2 * shape, variance: 4 * shape, excessKurtosis: 6 / shape)
    #expect(deviations.mean <= 5)
    #expect(deviations.variance <= 5)
  }

  /// Shapes whose distribution function is elementary.
  @Test(arguments: seeds)
  func gammaDrawsFollowTheirDistribution(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    func ratio(_ shape: Double, _ cdf: (Double) -> Double) -> Double {
      let sample = (0..<100_000).map { _ in Draw.gamma(shape: shape, using: &generator) }
      return kolmogorovSmirnovRatio(sample, cdf: cdf)
    }
    #expect(ratio(0.5) { Double.erf($0.squareRoot()) } <= 1)
    #expect(ratio(1) { -Double.expMinusOne(-$0) } <= 1)
    #expect(ratio(3) { 1 - Double.exp(-$0) * (1 + $0 + $0 * $0 / 2) } <= 1)
    #expect(
      ratio(2.5) {
        let root = $0.squareRoot()
        let rest = root * (2 + 4 * $0 / 3) * Double.exp(-$0) / Double.pi.squareRoot()
        return Double.erf(root) - rest
      } <= 1)
  }

  /// For small shapes xˢ is nearly uniform: P(X ≤ x) = xˢ·(1 − s·x/(s + 1) + …)/Γ(s + 1).
  @Test(arguments: seeds)
  func tinyShapesFollowTheirPowerLaw(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let shape = 0.02
    let sample = (0..<50_000).map { _ in Draw.gamma(shape: shape, using: &generator) }
    let below = sample.count { $0 <= 1e-20 }
    let p = Double.pow(1e-20, shape) / Double.exp(Double.logGamma(shape + 1))
    let deviation = (5e4 * p * (1 - p)).squareRoot()
    #expect(abs(Double(below) - 5e4 * p) <= 5 * deviation)
  }

  static let betaParameters: [(Double, Double)] = [
    (1, 1), (0.5, 0.5), (0.1, 0.7), (0.3, 4), (6, 0.8), (2, 3), (130.5, 870.5), (1e5, 2e5),
  ]

  @Test(arguments: betaParameters, seeds)
  func betaDrawsFollowTheirDistribution(_ parameters: (Double, Double), seed: UInt64) {
    let (a, b) = parameters
    var generator = Xoshiro256(seed: seed)
    let sample = (0..<20_000).map { _ in Draw.beta(a, b, using: &generator) }
    #expect(kolmogorovSmirnovRatio(sample) { SpecialFunctions.incompleteBeta($0, a, b) } <= 1)
    let mean = a / (a + b)
    let variance = mean * (1 - mean) / (a + b + 1)
    let deviations = momentDeviations(sample, mean: mean, variance: variance, excessKurtosis: 0)
    #expect(deviations.mean <= 5)
  }

  /// With parameters near zero the distribution tends to a coin between 0 and 1.
  @Test(arguments: [1e-3, 1e-6, 1e-300], seeds)
  func tinyBetaParametersGiveACoinAndNoNaN(a: Double, seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    let sample = (0..<10_000).map { _ in Draw.beta(a, 3 * a, using: &generator) }
    #expect(sample.allSatisfy { $0 >= 0 && $0 <= 1 })
    // The mean is ¼; a coin has the largest variance that a mean of ¼ allows, 3/16.
    let sum = Moments(sample).sum
    #expect(abs(sum - 2500) <= 5 * (1e4 * 3 / 16).squareRoot())
  }

  @Test(arguments: seeds)
  func oneTinyBetaParameterGivesItsEnd(seed: UInt64) {
    var generator = Xoshiro256(seed: seed)
    // P(X > 0.001) is about a·ln 1000, here 7e-9.
    for _ in 0..<1000 { #expect(Draw.beta(1e-9, 2, using: &generator) <= 0.001) }
    for _ in 0..<1000 { #expect(Draw.beta(2, 1e-9, using: &generator) >= 0.999) }
  }
}
