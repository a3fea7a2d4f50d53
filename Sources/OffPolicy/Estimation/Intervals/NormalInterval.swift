public import Specifications
public import Statistics

/// `normal`: the estimate ± z·standard error.
///
/// Right for large samples; with few decisions of large weight it is too narrow, and symmetric where the distribution
/// is not.
public struct NormalInterval: StatelessIntervalMethod, Parameterless {
  public static let info = SpecificationInfo(
    "normal", "the estimate plus and minus z standard errors", source: "central limit theorem")

  /// Creates the method.
  public init() {}

  public func interval(of sums: OffPolicySums, level: Double) -> Interval? {
    sums.interval(level: level)
  }
}
