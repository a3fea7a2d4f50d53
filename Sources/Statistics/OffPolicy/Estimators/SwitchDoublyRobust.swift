public import Specifications

/// `switch-dr:tau=2.5`: the mean of v + w·(r − q) over decisions with w ≤ τ, and of v over the others.
///
/// τ = 0 is the direct method, and a τ above all weights the doubly robust estimator. Y.-X. Wang, A. Agarwal and M.
/// Dudík, "Optimal and adaptive off-policy evaluation in contextual bandits" (ICML 2017).
public struct SwitchDoublyRobust: TunableEstimator {
  private static let tau = Parameter.number(
    "tau", default: 2.5, in: 0...1e15, "greatest weight that is used, {range}")

  public static let info = SpecificationInfo(
    "switch-dr", "switch: doubly robust up to a weight of tau, the model's prediction beyond",
    [tau],
    source: "Wang, Agarwal and Dudik 2017")
  public static let form = TermForm.mean
  public static let tuning = Tuning(
    "tau", candidates: [1000, 100, 50, 20, 10, 5, 3, 2, 1], leastBiased: .largest)

  public let specification: Specification
  private let tau: Double

  /// Creates the estimator; ``info`` lists the range and the default of the parameter.
  ///
  /// - Throws: ``SpecificationError`` if the value is out of range.
  public init(tau: Double? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.tau.written(tau)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    tau = try Self.tau.value(in: specification)
  }

  public var rewardModel: RewardModelUse { .unweighted }

  public func correction(of decision: LoggedDecision) -> Double? { weight(decision) }

  public func terms(of decision: LoggedDecision) -> DecisionTerms {
    DecisionTerms(mean: decision.doublyRobust(weight(decision)))
  }

  private func weight(_ decision: LoggedDecision) -> Double {
    decision.weight <= tau ? decision.weight : 0
  }
}
