public import Specifications
public import Statistics

/// `linear:variants=9,features=10,noise=0.1`: normal rewards whose mean is x·θ for a context x.
///
/// With `contexts=shared` there is one x per decision and one θ per variant, with `contexts=variants` one x per variant
/// and one θ for all. All are drawn uniformly from the unit sphere: x at each step, θ once per run, or once for all
/// runs if a seed is given. So every mean lies in −1 ... 1.
public struct LinearEnvironment: Environment {
  /// The number of variants and features, and what the variants share.
  public var shape = LinearShape()
  /// The standard deviation of rewards around their mean.
  public var noise = 0.1
  public var specification = Self.info.specification()

  /// Creates the environment with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "linear", "normal rewards with a mean that is linear in a context",
    source: "Chu, Li, Reyzin and Schapire 2011; Li, Chu, Langford and Schapire 2010, section 3.1",
    example: "linear:variants=9,features=10,noise=0.1")

  public static var parameters: [Field] {
    Field.group(\.shape)
    Field.number(
      "noise", \.noise, in: ParameterRanges.deviations,
      "standard deviation of rewards around their mean, 0 or more")
  }

  private var model: LinearModel {
    LinearModel(
      shape: shape, link: .identity, noise: noise > 0 ? .gaussian(deviation: noise) : .exact)
  }

  public func problem(horizon: Int) -> Problem { model.problem(horizon: horizon) }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(LinearRun(model, key))
  }
}
