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
}
