public import Statistics

/// All policies, by name.
///
/// A policy is a file of its own and an entry here; a test fails for one that is not listed.
public enum Policies {
  /// The policies by what they are made of.
  static let entries: [PolicyEntry] =
    basic + index + thompson + stochastic + adversarial + changing + contextual + bestArm
    + wrappers

  private static let basic = [
    PolicyEntry(Uniform.self), PolicyEntry(Weights.self), PolicyEntry(Fixed.self),
    PolicyEntry(Greedy.self), PolicyEntry(EpsilonGreedy.self), PolicyEntry(Softmax.self),
    PolicyEntry(ExploreThenCommit.self),
  ]

  private static let index = [
    PolicyEntry(UCB1.self), PolicyEntry(UCB.self), PolicyEntry(UCB1Tuned.self),
    PolicyEntry(UCBV.self), PolicyEntry(MOSS.self), PolicyEntry(KLUCB.self),
    PolicyEntry(IMED.self), PolicyEntry(BayesUCB.self),
  ]

  private static let thompson = [
    PolicyEntry(Thompson.self), PolicyEntry(GaussianThompson.self),
  ]

  /// What there is to say about each policy, sorted by name.
  public static var all: [Guide] { PolicyCatalog.standard.all }

  /// The policy that a text such as `thompson` or `epsilon-greedy:epsilon=0.1` names.
  ///
  /// - Parameters:
  ///   - text: A name from ``all``, with parameters or without.
  ///   - variants: The names of the variants in their order.
  /// - Returns: The policy, ready to be run.
  /// - Throws: `SpecificationError`: the text names no policy, or gives it what it cannot use.
  public static func named(
    _ text: String, variants: [String] = []
  ) throws(SpecificationError) -> PreparedPolicy {
    try PolicyCatalog.standard.named(text, variants: variants)
  }
}
