public import Statistics

/// `ucb:alpha=1`: m + √(α ln t / (2n)).
///
/// S. Bubeck and N. Cesa-Bianchi, "Regret analysis of stochastic and nonstochastic multi-armed bandit problems" (2012),
/// section 2.2; t counts the decisions so far.
public struct UCB: RootIndexPolicy {
  /// What there is to say about it.
  public static let guide = Guide(
    "ucb", "mean + sqrt(alpha ln t / (2 n))",
    [Guide.Parameter("alpha", "1", "how wide the bound is, 0 to 1e9")],
    source: "Bubeck and Cesa-Bianchi 2012, section 2.2")

  /// How it is written.
  public let specification: Specification
  private let alpha: Double

  /// Makes the policy.
  ///
  /// - Throws: `SpecificationError`: alpha is out of its range.
  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    alpha = try specification.number("alpha", default: 1, in: 0...1e9)
  }

  /// √(α ln t / 2).
  public func width(_ log: Double) -> Double { (alpha * log / 2).squareRoot() }
}
