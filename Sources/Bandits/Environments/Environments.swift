public import Specifications

/// The catalog of built-in environments.
///
/// Each environment is one file and one entry here; a test fails for any that is not listed.
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

  /// The name, summary, parameters and citation of each environment, sorted by name.
  public static var all: [SpecificationInfo] { entries.map(\.info).sorted { $0.name < $1.name } }

  /// Returns the environment that a specification such as `bernoulli:means=0.1;0.2;0.9` describes.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with parameters.
  ///   - sources: Access to the files and logs that some environments need.
  /// - Returns: The environment.
  /// - Throws: `SpecificationError` if the name is unknown or a parameter is invalid.
  public static func named(
    _ text: String, _ sources: EnvironmentSources = .none
  ) throws(SpecificationError) -> any Environment {
    try EnvironmentMaker(sources: sources).make(try Specification(parsing: text))
  }
}
