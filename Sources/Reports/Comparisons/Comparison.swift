internal import Replay
internal import Statistics

/// The result of comparing a variant with the baseline.
struct Comparison {
  var difference: Difference?
  var lift: Difference?
  var chanceToWin: Double?
  var expectedLoss: Double?
  /// The critical value of the statistic; nil where a p-value or an interval decides.
  var boundary: Double?
  /// The value whose sign says which variant is higher, where that is not the difference.
  var direction: Double?
  /// Whether nothing can be concluded yet, whatever the numbers are.
  var isUndecided = false
  /// The interval of the ratio of treatment to baseline, for methods with one of their own.
  var ratioInterval: Interval?
  /// The method of the lift's interval.
  var liftMethod: String?
  /// Why a value is missing.
  var status: String?
  var method: String

  /// Returns which variant is higher, or whether the margin is kept; nil if nothing was tested.
  ///
  /// - Parameters:
  ///   - plan: The plan of the comparison.
  ///   - adjusted: The p-value, adjusted over all rows.
  ///   - sampleRatio: The p-value of the sample ratio mismatch test.
  /// - Returns: The verdict in words.
  func verdict(_ plan: ComparisonPlan, adjusted: Double?, sampleRatio: Double?) -> String? {
    guard let difference else { return nil }
    if let sampleRatio, sampleRatio < SampleRatioRule.level { return "sample ratio mismatch" }
    if plan.margin != nil {
      return adjusted.map { $0 < plan.alpha ? "margin kept" : "margin not shown to be kept" }
    }
    if isUndecided { return "undecided" }
    let sign = direction ?? difference.estimate
    let isHigher = plan.alternative == .greater || (plan.alternative == .twoSided && sign > 0)
    let side = isHigher ? "higher" : "lower"
    if let boundary {
      return difference.statistic.map { abs($0) >= boundary ? side : "undecided" }
    }
    if let adjusted { return adjusted < plan.alpha ? side : "undecided" }
    if plan.method.isBayesian, let chanceToWin {
      if chanceToWin >= 1 - plan.alpha / 2 { return "higher" }
      return chanceToWin <= plan.alpha / 2 ? "lower" : "undecided"
    }
    return difference.interval.flatMap { interval in
      interval.width > 0 ? interval.contains(0) ? "undecided" : side : nil
    }
  }
}

/// The rule by which a sample ratio mismatch invalidates a comparison.
enum SampleRatioRule {
  /// The significance level of the test.
  static let level = 0.001
}
