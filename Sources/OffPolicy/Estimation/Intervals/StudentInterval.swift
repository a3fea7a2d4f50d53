public import Specifications
public import Statistics

/// `student-t`: the estimate ± t·standard error, with one degree of freedom less than there are units.
public struct StudentInterval: StatelessIntervalMethod, Parameterless {
  public static let info = SpecificationInfo(
    "student-t", "the estimate plus and minus t standard errors", source: "Student 1908")

  /// Creates the method.
  public init() {}

  public func interval(of sums: OffPolicySums, level: Double) -> Interval? {
    guard sums.units > 1 else { return nil }
    return Difference.interval(
      sums.value, sums.standardError, degreesOfFreedom: Double(sums.units - 1), level: level)
  }
}
