internal import Replay
internal import Statistics

/// What the comparison of a variant with the baseline came to.
struct Comparison {
  var difference: Difference?
  var lift: Difference?
  var chanceToWin: Double?
  var expectedLoss: Double?
  /// The value that the statistic must reach; nil where a p-value or an interval decides.
  var boundary: Double?
  /// What decides which is higher where it is not the difference.
  var direction: Double?
  /// Whether nothing can be shown yet, whatever the numbers are.
  var isUndecided = false
  /// The interval of treatment over baseline, where the method has one of its own.
  var ratioInterval: Interval?
  /// What made the interval of the lift.
  var liftMethod: String?
  /// Why something is not there.
  var status: String?
  var method: String

  /// Which is higher, or whether the margin is kept; nil when nothing was tested.
  ///
  /// - Parameters:
  ///   - plan: What was asked for.
  ///   - adjusted: The p-value, adjusted for all rows.
  ///   - sampleRatio: The p-value of the sample ratio test.
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

/// When counts of units are too far from what was meant for a comparison to mean anything.
enum SampleRatioRule {
  /// The level of the test.
  static let level = 0.001
}
