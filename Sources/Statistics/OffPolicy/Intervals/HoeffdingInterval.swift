public import Specifications

/// `hoeffding`: the mean ± b·√(ln(2/α)/(2n)) for n independent variables in a range of width b.
///
/// W. Hoeffding, "Probability inequalities for sums of bounded random variables" (JASA 58, 1963), theorem 2. Holds for
/// every sample size if the range is given; with the range of the sample, as in Open Bandit Pipeline, it is only a rule
/// of thumb.
public struct HoeffdingInterval: BoundedMeanMethod {
  public static let info = SpecificationInfo(
    "hoeffding", "Hoeffding's inequality for the mean of bounded terms",
    [lowParameter, highParameter],
    source: "Hoeffding 1963, theorem 2")

  public let specification: Specification
  public let low: Double?
  public let high: Double?

  /// Creates the method.
  ///
  /// - Throws: ``SpecificationError`` if a value is out of range.
  public init(low: Double? = nil, high: Double? = nil) throws(SpecificationError) {
    try self.init(
      Self.info.specification(Self.lowParameter.written(low), Self.highParameter.written(high)))
  }

  public init(_ specification: Specification) throws(SpecificationError) {
    self.specification = specification
    low = try Self.lowParameter.value(in: specification)
    high = try Self.highParameter.value(in: specification)
  }

  public func halfWidth(
    range: Double, units: Double, standardError: Double, tail: Double
  ) -> Double {
    range * (-Double.log(tail) / (2 * units)).squareRoot()
  }
}
