/// The alternative hypothesis of a test.
public enum Alternative: String, Sendable, CaseIterable {
  /// The treatment differs from the control.
  case twoSided = "two-sided"
  /// The treatment is greater.
  case greater
  /// The treatment is less.
  case less

  /// Returns the p-value of a statistic with the given tail probabilities under the null hypothesis.
  func pValue(lower: Double, upper: Double) -> Double {
    switch self {
    case .twoSided: min(1, 2 * min(lower, upper))
    case .greater: upper
    case .less: lower
    }
  }

  /// Returns the critical value of a normal statistic at a confidence level.
  package func criticalValue(level: Double) -> Double {
    -StandardNormal.quantile(self == .twoSided ? (1 - level) / 2 : 1 - level)
  }

  /// Returns the part of a two-sided interval that belongs to the alternative: all of it, or a one-sided interval from
  /// its lower or to its upper end.
  package func interval(_ interval: Interval) -> Interval {
    switch self {
    case .twoSided: interval
    case .greater: Interval(interval.low, .infinity)
    case .less: Interval(-.infinity, interval.high)
    }
  }
}
