public import Specifications

/// The built-in policies.
///
/// Each policy is one file and one entry here; a test fails for any that is not listed.
public enum Policies {
  /// The policies by family.
  static let catalog = PolicyCatalog(
    of: "policy",
    families: [
      "basic": basic, "index": index + divergenceIndex, "Thompson": thompson,
      "elimination and sampling": stochastic, "best arm": bestArm, "changing rewards": changing,
      "adversarial": adversarial, "contextual": contextual, "around others": wrappers,
    ])

  private static let basic = [
    PolicyEntry(Uniform.self), PolicyEntry(Weights.self), PolicyEntry(Fixed.self),
    PolicyEntry(Greedy.self), PolicyEntry(EpsilonGreedy.self),
    PolicyEntry(EpsilonDecreasing.self), PolicyEntry(Softmax.self), PolicyEntry(Gradient.self),
    PolicyEntry(ExploreThenCommit.self),
  ]

  private static let index = [
    PolicyEntry(UCB1.self), PolicyEntry(UCB.self), PolicyEntry(UCB1Tuned.self),
    PolicyEntry(UCB2.self), PolicyEntry(UCBV.self), PolicyEntry(MOSS.self),
    PolicyEntry(OCUCB.self), PolicyEntry(BayesUCB.self), PolicyEntry(Gittins.self),
  ]

  private static let thompson = [
    PolicyEntry(Thompson.self), PolicyEntry(GaussianThompson.self),
    PolicyEntry(UnknownVarianceThompson.self), PolicyEntry(PoissonThompson.self),
    PolicyEntry(TopTwoThompson.self), PolicyEntry(BootstrapThompson.self),
  ]

  /// The name, summary, parameters and citation of each policy, sorted by name.
  public static var all: [SpecificationInfo] { PolicyCatalog.standard.all }

  /// Returns the policy that a specification such as `thompson` or `epsilon-greedy:epsilon=0.1` describes.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with or without parameters.
  ///   - variants: The names of the variants, in order.
  /// - Returns: The policy, ready to run.
  /// - Throws: `SpecificationError` if the name is unknown or a parameter is invalid.
  public static func named(
    _ text: String, variants: [String] = []
  ) throws(SpecificationError) -> PreparedPolicy {
    try PolicyCatalog.standard.named(text, variants: variants)
  }
}
