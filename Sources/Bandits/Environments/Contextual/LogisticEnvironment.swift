public import Specifications
public import Statistics

/// `logistic:variants=9,features=10,scale=5`: rewards of 0 and 1 whose log-odds are scale·x·θ + intercept.
///
/// Contexts x and weights θ are as in ``LinearEnvironment``.
public struct LogisticEnvironment: Environment {
  /// The number of variants and features, and what the variants share.
  public var shape = LinearShape()
  /// The factor of x·θ.
  public var scale = 5.0
  /// The log-odds at x·θ = 0.
  public var intercept = 0.0
  public var specification = Self.info.specification()

  /// Creates the environment with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "logistic", "rewards of 0 and 1 with log-odds that are linear in a context",
    source: "Filippi, Cappé, Garivier and Szepesvári 2010",
    example: "logistic:variants=9,features=10,scale=5")

  public static var parameters: [Field] {
    Field.group(\.shape)
    Field.number("scale", \.scale, in: 0...1000, "factor of x·θ, 0 to 1000")
    Field.number(
      "intercept", \.intercept, in: -1000...1000, "the log-odds at x·θ = 0, -1000 to 1000")
  }

  private var model: LinearModel {
    LinearModel(
      shape: shape, link: .logistic(scale: scale, intercept: intercept), noise: .bernoulli)
  }

  public func problem(horizon: Int) -> Problem { model.problem(horizon: horizon) }

  public func makeRun(_ key: StreamKey, horizon: Int) -> EnvironmentRun {
    .changing(LinearRun(model, key))
  }
}
