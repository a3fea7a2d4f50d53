public import Specifications
internal import Statistics

/// `oc-ucb:alpha=3,psi=2`, also with `horizon=10000`: m + √(α ln(ψ T/t)/n), where T is the horizon.
///
/// T. Lattimore, "Optimally confident UCB: improved regret for finite-armed bandits" (2015), algorithm 1, with the α
/// and ψ of its experiments, for rewards of variance 1. Here t is the number of decisions so far. An agent has no
/// horizon: unless one is given, T is the number of its decisions so far.
public struct OCUCB: RootIndexPolicy {
  /// The width of the confidence bound.
  public var alpha = 3.0
  /// The factor of the horizon.
  public var psi = 2.0
  /// The number of decisions; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "oc-ucb", "mean + sqrt(alpha ln(psi T / t) / n)",
    source: "Lattimore 2015, algorithm 1", example: "oc-ucb:alpha=3,psi=2")

  public static var parameters: [Field] {
    Field.number("alpha", \.alpha, in: 0...1e9, "width of the confidence bound, {range}")
    Field.number("psi", \.psi, in: 1...1e9, "factor of the horizon, {range}")
    Field.horizon(\.horizon)
  }

  public func makeState(_ problem: Problem) -> IndexState<OCUCB> {
    var policy = self
    policy.horizon = horizon ?? Double(problem.horizon)
    return IndexState(policy, problem)
  }

  /// √(α ln(ψ T/t)); 0 beyond the horizon, after ψ T decisions.
  public func width(_ log: Double) -> Double {
    let rest = horizon.map { Double.log($0) - log } ?? 0
    return (alpha * max(0, Double.log(psi) + rest)).squareRoot()
  }
}
