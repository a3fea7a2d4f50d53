public import Statistics

/// All environments, by name.
///
/// An environment is a file of its own and an entry here; a test fails for one that is not listed.
public enum Environments {
  static let entries: [EnvironmentEntry] = stationary + changing + contextual + wrapping

  private static let stationary = [
    EnvironmentEntry(BernoulliEnvironment.self), EnvironmentEntry(GaussianEnvironment.self),
    EnvironmentEntry(TruncatedGaussianEnvironment.self),
    EnvironmentEntry(ClippedGaussianEnvironment.self), EnvironmentEntry(PoissonEnvironment.self),
    EnvironmentEntry(ExponentialEnvironment.self), EnvironmentEntry(BetaEnvironment.self),
    EnvironmentEntry(ConstantEnvironment.self), EnvironmentEntry(BayesianEnvironment.self),
    EnvironmentEntry(EmpiricalEnvironment.self),
  ]

  private static let changing = [
    EnvironmentEntry(PiecewiseEnvironment.self), EnvironmentEntry(DriftingEnvironment.self),
    EnvironmentEntry(SinusoidalEnvironment.self), EnvironmentEntry(RottingEnvironment.self),
    EnvironmentEntry(RestlessEnvironment.self),
    EnvironmentEntry(fromTable: AdversarialEnvironment.self),
  ]

  private static let contextual = [
    EnvironmentEntry(LinearEnvironment.self), EnvironmentEntry(LogisticEnvironment.self),
    EnvironmentEntry(fromTable: SupervisedEnvironment.self),
  ]

  private static let wrapping = [
    EnvironmentEntry(around: DelayedEnvironment.self),
    EnvironmentEntry(around: ScheduledEnvironment.self),
  ]

  /// What there is to say about each environment, sorted by name.
  public static var all: [Guide] { entries.map(\.guide).sorted { $0.name < $1.name } }

  /// The environment that a text such as `bernoulli:means=0.1;0.2;0.9` names.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with parameters.
  ///   - sources: Gives files and logs to those environments that need them.
  /// - Returns: The environment.
  /// - Throws: `SpecificationError`: the text names no environment, or gives it what it cannot use.
  public static func named(
    _ text: String, _ sources: EnvironmentSources = .none
  ) throws(SpecificationError) -> any Environment {
    try EnvironmentMaker(sources: sources).make(try Specification(parsing: text))
  }
}
