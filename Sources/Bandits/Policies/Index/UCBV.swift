public import Specifications

/// `ucb-v:zeta=1,c=1`: m + √(2 V E / n) + 3 c b E / n with E = ζ ln t and the variance V of the rewards.
///
/// J.-Y. Audibert, R. Munos and C. Szepesvári, "Exploration–exploitation tradeoff using variance estimates in multi-armed
/// bandits" (TCS 410, 2009), equation 1 and section 3, with rewards in 0 ... b, b = 1.
public struct UCBV: IndexPolicy {
  private static let zeta = Parameter.number(
    "zeta", default: 1, in: 0...1e9,
    "factor of ln t, {range}")
  private static let c = Parameter.number(
    "c", default: 1, in: 0...1e9,
    "factor of the last term, {range}")

  public static let info = SpecificationInfo(
    "ucb-v", "mean + sqrt(2 variance zeta ln t / n) + 3 c zeta ln t / n",
    [
      zeta,
      c,
    ],
    source: "Audibert, Munos and Szepesvári 2009, equation 1")

  public let specification: Specification
  private let zeta: Double
  private let c: Double

  /// Creates the policy; ``info`` lists the ranges of the parameters and the defaults of those that are nil.
  ///
  /// - Throws: `SpecificationError` if a value is out of range.
  public init(zeta: Double? = nil, c: Double? = nil) throws(SpecificationError) {
    try self.init(
      Self.info.specification(Self.zeta.written(zeta), Self.c.written(c)), variants: [])
  }

  public init(_ specification: Specification, variants: [String]) throws(SpecificationError) {
    self.specification = specification
    zeta = try Self.zeta.value(in: specification)
    c = try Self.c.value(in: specification)
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
