public import Statistics

/// `logistic:variants=9,features=10,scale=5`: rewards of 0 and 1, whose log-odds are scale·x·θ + intercept.
///
/// Contexts x and weights θ are as in ``LinearEnvironment``.
public struct LogisticEnvironment: Environment {
  /// What there is to say about it.
  public static let guide = Guide(
    "logistic", "rewards of 0 and 1 with log-odds that are linear in a context",
    LinearModel.parameters + [
      Guide.Parameter("scale", "5", "what x·θ is multiplied by, 0 to 1000"),
      Guide.Parameter("intercept", "0", "the log-odds at x·θ = 0, -1000 to 1000"),
    ],
    source: "Filippi, Cappé, Garivier and Szepesvári 2010")

  /// How it is written.
  public let specification: Specification
  private let model: LinearModel

  /// Makes the environment.
  ///
  /// - Throws: `SpecificationError`: a number is out of range.
  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    model = try LinearModel(
      specification,
      link: .logistic(
        scale: try specification.number("scale", default: 5, in: 0...1000),
        intercept: try specification.number("intercept", default: 0, in: -1000...1000)),
      noise: .bernoulli)
  }

  /// Shared features or those of each variant; rewards of 0 and 1.
  public func problem(horizon: Int) -> Problem { model.problem(horizon: horizon) }

  /// Begins a run.
  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(LinearRun(model, key))
  }
}
