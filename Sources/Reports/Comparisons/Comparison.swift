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
  /// Whether there is no baseline to compare with.
  var isAlone = false
  /// Whether nothing can be concluded yet, whatever the numbers are.
  var isUndecided = false
  /// The doubts about the method that the numbers of events and the variances raise.
  var findings: [VerdictFinding] = []
  /// The interval of the ratio of treatment to baseline, for methods with one of their own.
  var ratioInterval: Interval?
  /// The method of the lift's interval.
  var liftMethod: String?
  /// Why a value is missing.
  var status: String?
  var method: String
}

/// The rule by which a sample ratio mismatch invalidates a comparison, that of report `health`.
enum SampleRatioRule {
  /// The significance level of the test.
  static let level = HealthOptions().sampleRatioAlpha
}
