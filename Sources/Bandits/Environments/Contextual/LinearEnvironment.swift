public import Statistics

/// `linear:variants=9,features=10,noise=0.1`: normal rewards whose mean is x·θ for a context x.
///
/// With `contexts=shared` there is one x per decision and one θ per variant, with `contexts=variants` one x per variant
/// and one θ for all. All are drawn evenly from the unit sphere: x at each step, θ once per run, or once for all runs
/// where a seed is given. So every mean lies in −1 ... 1.
public struct LinearEnvironment: Environment {
  /// What there is to say about it.
  public static let guide = Guide(
    "linear", "normal rewards with a mean that is linear in a context",
    LinearModel.parameters + [
      Guide.Parameter("noise", "0.1", "standard deviation of rewards around their mean, 0 or more")
    ],
    source:
      "Chu, Li, Reyzin and Schapire 2011; Li, Chu, Langford and Schapire 2010, section 3.1"
  )

  /// How it is written.
  public let specification: Specification
  private let model: LinearModel

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: a number is out of range.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    let noise = try specification.number("noise", default: 0.1, in: ParameterRanges.deviations)
    model = try LinearModel(
      specification, link: .identity, noise: noise > 0 ? .gaussian(deviation: noise) : .exact)
  }

  /// Shared features or those of each variant.
  public func problem(horizon: Int) -> Problem { model.problem(horizon: horizon) }

  /// Begins a run.
  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(LinearRun(model, key))
  }
}
