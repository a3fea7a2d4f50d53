public import Specifications

/// `ucb-v:zeta=1,c=1`: m + √(2 V E / n) + 3 c b E / n with E = ζ ln t and the variance V of the rewards.
///
/// J.-Y. Audibert, R. Munos and C. Szepesvári, "Exploration–exploitation tradeoff using variance estimates in
/// multi-armed bandits" (TCS 410, 2009), equation 1 and section 3, with rewards in 0 ... b, b = 1.
public struct UCBV: IndexPolicy {
  /// The factor of ln t.
  public var zeta = 1.0
  /// The factor of the last term.
  public var c = 1.0
  public var specification = Self.info.specification()

  /// Creates the policy with the defaults of its parameters.
  public init() {}

  public static let info = SpecificationInfo(
    "ucb-v", "mean + sqrt(2 variance zeta ln t / n) + 3 c zeta ln t / n",
    source: "Audibert, Munos and Szepesvári 2009, equation 1", example: "ucb-v:zeta=1,c=1")

  public static var parameters: [Field] {
    Field.number("zeta", \.zeta, in: 0...1e9, "factor of ln t, {range}")
    Field.number("c", \.c, in: 0...1e9, "factor of the last term, {range}")
  }

  public func index(_ arm: ArmTally, _ now: IndexSituation) -> Double {
    let ratio = zeta * now.log / Double(arm.decisions)
    return arm.mean + (2 * arm.variance * ratio).squareRoot() + 3 * c * ratio
  }

  public static var isEstimateClose: Bool { true }

  /// Estimates take neither roots nor divisions.
  public static var margin: Double { 0x1p-100 }

  /// Returns √E.
  @inline(__always)
  public func abscissa(_ now: IndexSituation) -> Double { SquareRoot.of(zeta * now.log) }

  @inline(__always)
  public func terms(
    _ arm: ArmTally, _ now: IndexSituation, index: Double
  ) -> IndexTerms<Double> {
    let part = 1 / Double(arm.decisions)
    return IndexTerms(
      a: arm.mean, b: SquareRoot.of(2 * arm.variance * part), c: 3 * c * part)
  }

  /// Returns m + √E (√(2 V / n) + √E 3 c b / n).
  @inline(__always)
  public func estimate(_ terms: IndexTerms<SIMD2<Double>>, _ x: Double) -> SIMD2<Double> {
    terms.a + x * (terms.b + x * terms.c)
  }
}
