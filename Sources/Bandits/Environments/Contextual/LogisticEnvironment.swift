public import Specifications
public import Statistics

/// `logistic:variants=9,features=10,scale=5`: rewards of 0 and 1 whose log-odds are scale·x·θ + intercept.
///
/// Contexts x and weights θ are as in ``LinearEnvironment``.
public struct LogisticEnvironment: Environment {
  private static let scale = Parameter.number(
    "scale", default: 5, in: 0...1000, "factor of x·θ, 0 to 1000")
  private static let intercept = Parameter.number(
    "intercept", default: 0, in: -1000...1000, "the log-odds at x·θ = 0, -1000 to 1000")

  public static let info = SpecificationInfo(
    "logistic", "rewards of 0 and 1 with log-odds that are linear in a context",
    LinearModel.parameters + [scale, intercept],
    source: "Filippi, Cappé, Garivier and Szepesvári 2010")

  public let specification: Specification
  private let model: LinearModel

  /// Creates the environment; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(
    variants: Int? = nil, features: Int? = nil, contexts: LinearContexts? = nil, seed: Int? = nil,
    scale: Double? = nil, intercept: Double? = nil
  ) throws(SpecificationError) {
    try self.init(
      Self.info.specification(
        LinearModel.variants.written(variants), LinearModel.features.written(features),
        LinearModel.contexts.written(contexts), LinearModel.seed.written(seed),
        Self.scale.written(scale), Self.intercept.written(intercept)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    model = try LinearModel(
      specification,
      link: .logistic(
        scale: try Self.scale.value(in: specification),
        intercept: try Self.intercept.value(in: specification)),
      noise: .bernoulli)
  }

  public func problem(horizon: Int) -> Problem { model.problem(horizon: horizon) }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(LinearRun(model, key))
  }
}
