public import Specifications

/// `ucb:alpha=1`: m + √(α ln t / (2n)).
///
/// S. Bubeck and N. Cesa-Bianchi, "Regret analysis of stochastic and nonstochastic multi-armed bandit problems" (2012),
/// section 2.2; t is the number of decisions so far.
public struct UCB: RootIndexPolicy {
  private static let alpha = Parameter.number(
    "alpha", default: 1, in: 0...1e9,
    "width of the confidence bound, {range}")

  public static let info = SpecificationInfo(
    "ucb", "mean + sqrt(alpha ln t / (2 n))",
    [alpha],
    source: "Bubeck and Cesa-Bianchi 2012, section 2.2")

  public let specification: Specification
  private let alpha: Double

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(alpha: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.alpha.written(alpha)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    alpha = try Self.alpha.value(in: specification)
  }

  /// √(α ln t / 2).
  public func width(_ log: Double) -> Double { SquareRoot.of(alpha * log / 2) }
}
