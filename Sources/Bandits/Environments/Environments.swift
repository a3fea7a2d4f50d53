public import Specifications

/// The catalog of built-in environments.
///
/// Each environment is one file and one entry here; a test fails for any that is not listed.
public enum Environments {
  static let catalog = Catalog(
    of: "environment",
    families: [
      "stationary": stationary.map { entry($0) }, "changing": changing.map { entry($0) },
      "contextual": contextual.map { entry($0) }, "data": data.map { entry($0) },
      "around others": wrapping.map { entry($0) },
    ])

  private static let stationary: [any Environment.Type] = [
    BernoulliEnvironment.self, GaussianEnvironment.self, TruncatedGaussianEnvironment.self,
    ClippedGaussianEnvironment.self, PoissonEnvironment.self, ExponentialEnvironment.self,
    BetaEnvironment.self, ConstantEnvironment.self, BayesianEnvironment.self,
  ]

  private static let changing: [any Environment.Type] = [
    PiecewiseEnvironment.self, DriftingEnvironment.self, SinusoidalEnvironment.self,
    RottingEnvironment.self, RestlessEnvironment.self,
  ]

  private static let contextual: [any Environment.Type] = [
    LinearEnvironment.self, LogisticEnvironment.self,
  ]

  /// Environments that read a log or a file.
  private static let data: [any Environment.Type] = [
    EmpiricalEnvironment.self, SupervisedEnvironment.self, AdversarialEnvironment.self,
  ]

  private static let wrapping: [any Environment.Type] = [
    DelayedEnvironment.self, ScheduledEnvironment.self,
  ]

  private static func entry<E: Environment>(
    _ type: E.Type
  ) -> SpecifiedEntry<any Environment, EnvironmentSources> {
    SpecifiedEntry(type) { $0 }
  }

  /// The name, summary, parameters and citation of each environment, sorted by name.
  public static var all: [SpecificationInfo] { catalog.all }

  /// The same by family, in the order of listings.
  package static var byFamily: [SpecificationInfo] { catalog.byFamily }

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
    try sources.make(Specification(parsing: text))
  }
}
