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

  /// The prior.
  public var prior = Prior.beta
  /// The first parameter of the Beta prior.
  public var a = 1.0
  /// The second parameter of the Beta prior.
  public var b = 1.0
  /// The mean of the normal prior.
  public var mean = 0.0
  /// The standard deviation of the normal prior.
  public var deviation = 1.0
  /// The standard deviation of normal rewards around their mean.
  public var sigma = 1.0
  /// The number of variants.
  public var variants = 10
  public var specification = Self.info.specification()

  /// Creates the environment with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "bayesian", "variants drawn from a prior in each run",
    source: "Lattimore and Szepesvári 2020, chapter 35; Sutton and Barto 2018, section 2.3",
    example: "bayesian:prior=beta,a=1,b=1,variants=10")

  public static var parameters: [Field] {
    Field.word(
      "prior", \.prior, "beta: Beta means, rewards of 0 and 1; gaussian: normal means and rewards")
    Field.number("a", \.a, in: 0.001...1e6, "first parameter of the Beta prior, {range}")
    Field.number("b", \.b, in: 0.001...1e6, "second parameter of the Beta prior, {range}")
    Field.number("mean", \.mean, in: ParameterRanges.finite, "mean of the normal prior")
    Field.number(
      "deviation", \.deviation, in: ParameterRanges.deviations,
      "standard deviation of the normal prior, 0 or more")
    Field.number(
      "sigma", \.sigma, in: ParameterRanges.deviations,
      "standard deviation of normal rewards around their mean, 0 or more")
    Field.integer("variants", \.variants, in: 1...100_000, "number of variants, {range}")
  }

  public mutating func validate() throws(SpecificationError) {
    switch prior {
    case .beta: try specification.refuse(["mean", "deviation", "sigma"], beside: "prior=beta")
    case .gaussian: try specification.refuse(["a", "b"], beside: "prior=gaussian")
    }
  }

  public func problem(horizon: Int) -> Problem {
    Problem(variants: variants, horizon: horizon, rewards: prior == .beta ? 0...1 : nil)
  }

  /// Draws the variants from the prior and starts a run.
  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    var random = Xoshiro256(key: key.adding("variants"))
    let arms = (0..<variants).map { _ -> RewardDistribution in
      switch prior {
      case .beta: .bernoulli(Draw.beta(a, b, using: &random))
      case .gaussian:
        .gaussian(
          mean: Draw.normal(mean: mean, standardDeviation: deviation, using: &random),
          deviation: sigma)
      }
    }
    return .stationary(StationaryRun(arms, RewardStream(key)))
  }
}
