public import Specifications
internal import Statistics

/// `hoeffding`: the mean ± b·√(ln(2/α)/(2n)) for n independent variables in a range of width b.
///
/// W. Hoeffding, "Probability inequalities for sums of bounded random variables" (JASA 58, 1963), theorem 2. Holds for
/// every sample size if the range is given; with the range of the sample, as in Open Bandit Pipeline, it is only a rule
/// of thumb.
public struct HoeffdingInterval: BoundedMeanMethod {
  public static let info = SpecificationInfo(
    "hoeffding", "Hoeffding's inequality for the mean of bounded terms",
    source: "Hoeffding 1963, theorem 2", example: "hoeffding:low=0,high=1")

  public var limits = TermLimits()
  public var specification = Self.info.specification()

  /// Creates the method with the default of each parameter.
  public init() {}

  public static var parameters: [Field] { Field.group(\.limits) }

  public func halfWidth(
    range: Double, units: Double, standardError: Double, tail: Double
  ) -> Double {
    range * (-Double.log(tail) / (2 * units)).squareRoot()
  }
}
