/// What a test holds against the null hypothesis.
public enum Alternative: String, Sendable, CaseIterable {
  /// The treatment differs from the control.
  case twoSided = "two-sided"
  /// The treatment is greater.
  case greater
  /// The treatment is less.
  case less

  /// The p-value of a statistic whose tails under the null hypothesis are given.
  func pValue(lower: Double, upper: Double) -> Double {
    switch self {
    case .twoSided: min(1, 2 * min(lower, upper))
    case .greater: upper
    case .less: lower
    }
  }

  /// The normal quantile that a statistic must reach at a level of intervals.
  package func criticalValue(level: Double) -> Double {
    -StandardNormal.quantile(self == .twoSided ? (1 - level) / 2 : 1 - level)
  }

  /// The part of an interval that belongs to the alternative: all of it, or from its lower or to its upper end.
  package func interval(_ interval: Interval) -> Interval {
    switch self {
    case .twoSided: interval
    case .greater: Interval(interval.low, .infinity)
    case .less: Interval(-.infinity, interval.high)
    }
  }
}
