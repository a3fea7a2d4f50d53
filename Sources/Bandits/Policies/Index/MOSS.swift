public import Statistics

/// `moss` and `moss:horizon=10000`: m + √(max(0, ln(T / (K n))) / n), where T is the horizon or, without one, the
/// number of decisions so far.
///
/// J.-Y. Audibert and S. Bubeck, "Minimax policies for adversarial and stochastic bandits" (COLT 2009), section 2;
/// anytime: R. Degenne and V. Perchet, "Anytime optimal algorithms in stochastic multi-armed bandits" (ICML 2016).
public struct MOSS: IndexPolicy {
  private static let horizon = Parameter.horizon(
    "number of decisions, in place of t; by default t, the number so far")

  public static let info = SpecificationInfo(
    "moss", "mean + sqrt(max(0, ln(t / (K n))) / n)",
    [
      horizon
    ],
    source: "Audibert and Bubeck 2009, section 2; anytime: Degenne and Perchet 2016")

  public let specification: Specification
  private let horizon: Double?

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(horizon: Int? = nil) throws(SpecificationError) {
    try self.init(Self.info.specification(Self.horizon.written(horizon)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    horizon = try Self.horizon.value(in: specification).map(Double.init)
  }

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    let n = Double(arm.decisions)
    let excess = Double.log((horizon ?? now.decisions) / (now.choices * n))
    return arm.mean + (max(0, excess) / n).squareRoot()
  }
}
