public import Specifications

/// The catalog of built-in environments.
///
/// Each environment is one file and one entry here; a test fails for any that is not listed.
public enum Environments {
  static let catalog = Catalog(
    of: "environment",
    families: [
      "stationary": [
        entry(BernoulliEnvironment.self), entry(GaussianEnvironment.self), entry(TruncatedGaussianEnvironment.self),
        entry(ClippedGaussianEnvironment.self), entry(PoissonEnvironment.self), entry(ExponentialEnvironment.self),
        entry(BetaEnvironment.self), entry(ConstantEnvironment.self), entry(BayesianEnvironment.self),
      ],
      "changing": [
        entry(PiecewiseEnvironment.self), entry(DriftingEnvironment.self), entry(SinusoidalEnvironment.self),
        entry(RottingEnvironment.self), entry(RestlessEnvironment.self),
      ],
      "contextual": [entry(LinearEnvironment.self), entry(LogisticEnvironment.self)],
      // Environments that read a log or a file.
      "data": [
        entry(EmpiricalEnvironment.self), entry(SupervisedEnvironment.self), entry(AdversarialEnvironment.self),
      ],
      "around others": [entry(DelayedEnvironment.self), entry(ScheduledEnvironment.self)],
    ])

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
