public import Specifications

/// `switch-dr:tau=2.5`: the mean of v + w·(r − q) over decisions with w ≤ τ, and of v over the others.
///
/// τ = 0 is the direct method, and a τ above all weights the doubly robust estimator. Y.-X. Wang, A. Agarwal and M.
/// Dudík, "Optimal and adaptive off-policy evaluation in contextual bandits" (ICML 2017).
public struct SwitchDoublyRobust: TunableEstimator {
  public static let info = SpecificationInfo(
    "switch-dr", "switch: doubly robust up to a weight of tau, the model's prediction beyond",
    source: "Wang, Agarwal and Dudik 2017", example: "switch-dr:tau=2.5")
  public static let tuning = Tuning(
    "tau", candidates: [1000, 100, 50, 20, 10, 5, 3, 2, 1], leastBiased: .largest)

  /// The greatest weight that is used.
  public var tau = 2.5
  public var specification = Self.info.specification()

  /// Creates the estimator with the default of each parameter.
  public init() {}

  public static var parameters: [Field] {
    Field.number("tau", \.tau, in: 0...1e15, "greatest weight that is used, {range}")
  }

  public var rewardModel: RewardModelUse { .unweighted }

  public func weight(of decision: LoggedDecision) -> Double {
    decision.weight <= tau ? decision.weight : 0
  }
}
