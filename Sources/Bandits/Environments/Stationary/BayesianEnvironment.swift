public import Statistics

/// `bayesian:prior=beta,a=1,b=1,variants=10`: variants that are drawn anew in each run.
///
/// The mean of the regret over the runs is the Bayesian regret of the prior. With `prior=beta` the rewards are 0 or 1,
/// with `prior=gaussian,mean=0,deviation=1,sigma=1` normal: the ten-armed testbed of Sutton and Barto (2018, section
/// 2.3) is `bayesian:prior=gaussian`.
public struct BayesianEnvironment: Environment {
  /// What there is to say about it.
  public static let guide = Guide(
    "bayesian", "variants drawn anew from a prior in each run",
    [
      Guide.Parameter(
        "prior", "beta", "beta: Beta means, rewards of 0 and 1; gaussian: normal means and rewards"),
      Guide.Parameter("a", "1", "first parameter of the Beta prior, 0.001 to 1e6"),
      Guide.Parameter("b", "1", "second parameter of the Beta prior, 0.001 to 1e6"),
      Guide.Parameter("mean", "0", "mean of the normal prior"),
      Guide.Parameter("deviation", "1", "standard deviation of the normal prior, 0 or more"),
      Guide.Parameter(
        "sigma", "1", "standard deviation of normal rewards around their mean, 0 or more"),
      Guide.Parameter("variants", "10", "how many variants, 1 to 100000"),
    ],
    source: "Lattimore and Szepesvári 2020, chapter 35; Sutton and Barto 2018, section 2.3")

  private enum Prior: Sendable {
    case beta(a: Double, b: Double)
    case gaussian(mean: Double, deviation: Double, sigma: Double)
  }

  /// How it is written.
  public let specification: Specification
  private let variants: Int
  private let prior: Prior

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: the prior is unknown, or a parameter does not fit it.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    variants = try specification.integer("variants", default: 10, in: 1...100_000)
    if try specification.word("prior", among: ["beta", "gaussian"]) == "beta" {
      try specification.refuse(["mean", "deviation", "sigma"], beside: "prior=beta")
      prior = .beta(
        a: try specification.number("a", default: 1, in: 0.001...1e6),
        b: try specification.number("b", default: 1, in: 0.001...1e6))
    } else {
      try specification.refuse(["a", "b"], beside: "prior=gaussian")
      prior = .gaussian(
        mean: try specification.number("mean", default: 0, in: ParameterRanges.finite),
        deviation: try specification.number(
          "deviation", default: 1, in: ParameterRanges.deviations),
        sigma: try specification.number("sigma", default: 1, in: ParameterRanges.deviations))
    }
  }

  /// Rewards of 0 and 1 for a Beta prior.
  public func problem(horizon: Int) -> Problem {
    guard case .beta = prior else { return Problem(variants: variants, horizon: horizon) }
    return Problem(variants: variants, horizon: horizon, rewards: 0...1)
  }

  /// Draws the variants and begins a run.
  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    var random = Xoshiro256(key: key.adding("variants"))
    let arms = (0..<variants).map { _ -> RewardDistribution in
      switch prior {
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
