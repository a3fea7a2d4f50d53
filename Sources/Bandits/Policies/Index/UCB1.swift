public import Specifications

/// `ucb1`: m + √(2 ln t / n).
///
/// P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem" (Machine Learning
/// 47, 2002), figure 1; t is the number of decisions so far. Equivalent to ``UCB`` with α = 4.
public struct UCB1: RootIndexPolicy, Parameterless {
  /// Creates the policy.
  public init() {}

  public static let info = SpecificationInfo(
    "ucb1", "mean + sqrt(2 ln t / n)",
    source: "Auer, Cesa-Bianchi and Fischer 2002, figure 1")

  /// √(2 ln t).
  public func width(_ log: Double) -> Double { SquareRoot.of(2 * log) }
}
