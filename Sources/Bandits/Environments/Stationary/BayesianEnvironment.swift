public import Specifications
public import Statistics

/// `bayesian:prior=beta,a=1,b=1,variants=10`: variants drawn from a prior in each run.
///
/// The mean of the regret over the runs is the Bayesian regret of the prior. With `prior=beta` the rewards are 0 or 1,
/// with `prior=gaussian,mean=0,deviation=1,sigma=1` normal: the ten-armed testbed of Sutton and Barto (2018, section
/// 2.3) is `bayesian:prior=gaussian`.
public struct BayesianEnvironment: Environment {
  /// The prior of the means of variants.
  public enum Prior: String, CaseIterable, Sendable {
    /// Beta-distributed means of Bernoulli rewards.
    case beta
    /// Normal means of normal rewards.
    case gaussian
  }

  private static let prior = Parameter.word(
    "prior", default: Prior.beta,
    "beta: Beta means, rewards of 0 and 1; gaussian: normal means and rewards")
  private static let a = Parameter.number(
    "a", default: 1, in: 0.001...1e6, "first parameter of the Beta prior, {range}")
  private static let b = Parameter.number(
    "b", default: 1, in: 0.001...1e6, "second parameter of the Beta prior, {range}")
  private static let mean = Parameter.number(
    "mean", default: 0, in: ParameterRanges.finite, "mean of the normal prior")
  private static let deviation = Parameter.number(
    "deviation", default: 1, in: ParameterRanges.deviations,
    "standard deviation of the normal prior, 0 or more")
  private static let sigma = Parameter.number(
    "sigma", default: 1, in: ParameterRanges.deviations,
    "standard deviation of normal rewards around their mean, 0 or more")
  private static let variants = Parameter.integer(
    "variants", default: 10, in: 1...100_000, "number of variants, {range}")

  public static let info = SpecificationInfo(
    "bayesian", "variants drawn from a prior in each run",
    [prior, a, b, mean, deviation, sigma, variants],
    source: "Lattimore and Szepesvári 2020, chapter 35; Sutton and Barto 2018, section 2.3")

  private enum Means: Sendable {
    case beta(a: Double, b: Double)
    case gaussian(mean: Double, deviation: Double, sigma: Double)
  }

  public let specification: Specification
  private let variants: Int
  private let means: Means

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range or belongs to the other prior.
  public init(
    prior: Prior? = nil, a: Double? = nil, b: Double? = nil, mean: Double? = nil,
    deviation: Double? = nil, sigma: Double? = nil, variants: Int? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        Self.prior.written(prior), Self.a.written(a), Self.b.written(b), Self.mean.written(mean),
        Self.deviation.written(deviation), Self.sigma.written(sigma),
        Self.variants.written(variants)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    variants = try Self.variants.value(in: specification)
    if try Self.prior.value(in: specification) == .beta {
      try specification.refuse(["mean", "deviation", "sigma"], beside: "prior=beta")
      means = .beta(
        a: try Self.a.value(in: specification),
        b: try Self.b.value(in: specification))
    } else {
      try specification.refuse(["a", "b"], beside: "prior=gaussian")
      means = .gaussian(
        mean: try Self.mean.value(in: specification),
        deviation: try Self.deviation.value(in: specification),
        sigma: try Self.sigma.value(in: specification))
    }
  }

  public func problem(horizon: Int) -> Problem {
    guard case .beta = means else { return Problem(variants: variants, horizon: horizon) }
    return Problem(variants: variants, horizon: horizon, rewards: 0...1)
  }

  /// Draws the variants from the prior and starts a run.
  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    var random = Xoshiro256(key: key.adding("variants"))
    let arms = (0..<variants).map { _ -> RewardDistribution in
      switch means {
      case .beta(let a, let b): .bernoulli(Draw.beta(a, b, using: &random))
      case .gaussian(let mean, let deviation, let sigma):
        .gaussian(
          mean: Draw.normal(mean: mean, standardDeviation: deviation, using: &random),
          deviation: sigma)
      }
    }
    return .stationary(StationaryRun(arms, RewardStream(key)))
  }
}
