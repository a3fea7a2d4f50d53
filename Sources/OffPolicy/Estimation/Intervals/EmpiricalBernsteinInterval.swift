public import Specifications
internal import Statistics

/// `empirical-bernstein`: the mean ± (√(2·ln(4/α))·standard error + 7·b·ln(4/α)/(3(n − 1))) for n independent variables
/// in a range of width b.
///
/// A. Maurer and M. Pontil, "Empirical Bernstein bounds and sample variance penalization" (COLT 2009), theorem 4, for
/// both sides. Holds for every sample size if the range is given; with the range of the sample, as in Open Bandit
/// Pipeline, it is only a rule of thumb.
public struct EmpiricalBernsteinInterval: BoundedMeanMethod {
  public static let info = SpecificationInfo(
    "empirical-bernstein", "empirical Bernstein bounds for the mean of bounded terms",
    source: "Maurer and Pontil 2009, theorem 4", example: "empirical-bernstein:low=0,high=1")

  public var limits = TermLimits()
  public var specification = Self.info.specification()

  /// Creates the method with the default of each parameter.
  public init() {}

  public static var parameters: [Field] { Field.group(\.limits) }

  public func halfWidth(
    range: Double, units: Double, standardError: Double, tail: Double
  ) -> Double {
    let log = Double.log(2 / tail)
    return (2 * log).squareRoot() * standardError + 7 * range * log / (3 * (units - 1))
  }
}
