public import Specifications
public import Statistics

/// `linear:variants=9,features=10,noise=0.1`: normal rewards whose mean is x·θ for a context x.
///
/// With `contexts=shared` there is one x per decision and one θ per variant, with `contexts=variants` one x per variant
/// and one θ for all. All are drawn uniformly from the unit sphere: x at each step, θ once per run, or once for all
/// runs if a seed is given. So every mean lies in −1 ... 1.
public struct LinearEnvironment: Environment {
  private static let noise = Parameter.number(
    "noise", default: 0.1, in: ParameterRanges.deviations,
    "standard deviation of rewards around their mean, 0 or more")

  public static let info = SpecificationInfo(
    "linear", "normal rewards with a mean that is linear in a context",
    LinearModel.parameters + [noise],
    source:
      "Chu, Li, Reyzin and Schapire 2011; Li, Chu, Langford and Schapire 2010, section 3.1"
  )

  public let specification: Specification
  private let model: LinearModel

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(
    variants: Int? = nil, features: Int? = nil, contexts: LinearContexts? = nil, seed: Int? = nil,
    noise: Double? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        LinearModel.variants.written(variants), LinearModel.features.written(features),
        LinearModel.contexts.written(contexts), LinearModel.seed.written(seed),
        Self.noise.written(noise)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    let noise = try Self.noise.value(in: specification)
    model = try LinearModel(
      specification, link: .identity, noise: noise > 0 ? .gaussian(deviation: noise) : .exact)
  }

  public func problem(horizon: Int) -> Problem { model.problem(horizon: horizon) }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(LinearRun(model, key))
  }
}
