public import Specifications
internal import Statistics

/// `kl-ucb++` and `kl-ucb++:horizon=10000`: the largest q with n·kl(m, q) ≤ ln⁺(x·(1 + (ln⁺ x)²)) with x = T/(K n), for
/// rewards in 0 ... 1, where T is the horizon and ln⁺ the larger of the logarithm and 0.
///
/// P. Ménard and A. Garivier, "A minimax and asymptotically optimal algorithm for stochastic bandits" (ALT 2017). An
/// agent has no horizon: unless one is given, T is the number of its decisions so far.
public struct KLUCBPlusPlus: DivergenceIndexPolicy {
  /// The number of decisions; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "kl-ucb++", "the largest q with n kl(mean, q) <= ln(x (1 + ln(x)^2)), x = T / (K n)",
    source: "Ménard and Garivier 2017")

  public static var parameters: [Field] {
    Field.horizon(\.horizon)
  }

  public func makeState(_ problem: Problem) -> IndexState<KLUCBPlusPlus> {
    var policy = self
    policy.horizon = horizon ?? Double(problem.horizon)
    return IndexState(policy, problem)
  }

  /// ln⁺(x·(1 + (ln⁺ x)²)).
  public func level(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    let x = (horizon ?? now.decisions) / (now.choices * Double(arm.decisions))
    let log = max(0, Double.log(x))
    return max(0, Double.log(x * (1 + log * log)))
  }

  /// The level stays the same with a horizon; without one it grows by at most 2.
  public func levelSlope(_ now: IndexSituation) -> Double { horizon == nil ? 2 : 0 }
}
