public import Specifications
internal import Statistics

/// `moss` and `moss:horizon=10000`: m + √(max(0, ln(T / (K n))) / n), where T is the horizon or, without one, the
/// number of decisions so far.
///
/// J.-Y. Audibert and S. Bubeck, "Minimax policies for adversarial and stochastic bandits" (COLT 2009), section 2;
/// anytime: R. Degenne and V. Perchet, "Anytime optimal algorithms in stochastic multi-armed bandits" (ICML 2016).
public struct MOSS: IndexPolicy {
  /// The number of decisions; nil for that of the run.
  public var horizon: Double?
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "moss", "mean + sqrt(max(0, ln(t / (K n))) / n)",
    source: "Audibert and Bubeck 2009, section 2; anytime: Degenne and Perchet 2016")

  public static var parameters: [Field] {
    Field.horizon(\.horizon, "number of decisions, in place of t; by default t, the number so far")
  }

  private let logarithms = CountLogarithms()

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    let n = Double(arm.decisions)
    let excess = Double.log((horizon ?? now.decisions) / (now.choices * n))
    return arm.mean + (max(0, excess) / n).squareRoot()
  }

  public static var isEstimateClose: Bool { true }

  /// Next to 0, the rounding of a logarithm moves its root by more than the rounding of the root.
  public static var margin: Double { 0x1p-22 }

  /// Returns ln T, so that the logarithms of variants change with their tallies only.
  @inline(__always)
  public func abscissa(_ now: IndexSituation) -> Double {
    horizon.map { Double.log($0) } ?? now.log
  }

  @inline(__always)
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, index: Double
  ) -> IndexTerms<Double> {
    let n = Double(arm.decisions)
    return IndexTerms(
      a: arm.mean, b: 1 / n, c: logarithms[Int(now.choices) &* arm.decisions])
  }

  @inline(__always)
  public func estimate(_ terms: IndexTerms<SIMD2<Double>>, _ x: Double) -> SIMD2<Double> {
    let excess = x - terms.c
    return terms.a + SquareRoot.of(excess.replacing(with: 0, where: excess .< 0) * terms.b)
  }
}
