public import Specifications

/// `ucb:alpha=1`: m + √(α ln t / (2n)).
///
/// S. Bubeck and N. Cesa-Bianchi, "Regret analysis of stochastic and nonstochastic multi-armed bandit problems" (2012),
/// section 2.2; t is the number of decisions so far.
public struct UCB: RootIndexPolicy {
  /// The width of the confidence bound.
  public var alpha = 1.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "ucb", "mean + sqrt(alpha ln t / (2 n))",
    source: "Bubeck and Cesa-Bianchi 2012, section 2.2", example: "ucb:alpha=1")

  public static var parameters: [Field] {
    Field.number("alpha", \.alpha, in: 0...1e9, "width of the confidence bound, {range}")
  }

  /// √(α ln t / 2).
  public func width(_ log: Double) -> Double { SquareRoot.of(alpha * log / 2) }
}
