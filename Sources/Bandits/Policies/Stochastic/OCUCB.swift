public import Specifications
internal import Statistics

/// `oc-ucb:alpha=3,psi=2`, also with `horizon=10000`: m + √(α ln(ψ T/t)/n), where T is the horizon.
///
/// T. Lattimore, "Optimally confident UCB: improved regret for finite-armed bandits" (2015), algorithm 1, with the α
/// and ψ of its experiments, for rewards of variance 1. Here t is the number of decisions so far. An agent has no
/// horizon: unless one is given, T is the number of its decisions so far.
public struct OCUCB: RootIndexPolicy {
  private static let alpha = Parameter.number(
    "alpha", default: 3, in: 0...1e9,
    "width of the confidence bound, {range}")
  private static let psi = Parameter.number(
    "psi", default: 2, in: 1...1e9,
    "factor of the horizon, {range}")
  private static let horizon = Parameter.horizon()

  public static let info = SpecificationInfo(
    "oc-ucb", "mean + sqrt(alpha ln(psi T / t) / n)",
    [
      alpha,
      psi, horizon,
    ],
    source: "Lattimore 2015, algorithm 1")

  public let specification: Specification
  private let alpha: Double
  private let psi: Double
  private var horizon: Double?

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(alpha: Double? = nil, psi: Double? = nil, horizon: Int? = nil)
    throws(SpecificationError)
  {
    try self.init(
      Self.info.specification(
        Self.alpha.written(alpha), Self.psi.written(psi), Self.horizon.written(horizon)),
      variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    alpha = try Self.alpha.value(in: specification)
    psi = try Self.psi.value(in: specification)
    horizon = try Self.horizon.value(in: specification).map(Double.init)
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
