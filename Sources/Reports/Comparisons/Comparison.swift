internal import Replay
internal import Statistics

/// The result of comparing a variant with the baseline.
struct Comparison {
  var difference: Difference?
  var lift: Difference?
  /// The posterior probability that the variant's mean is above that of the baseline.
  var chanceAbove: Double?
  /// What choosing the variant, and what choosing the baseline, loses on average if more is better.
  var losses: (treatment: Double, control: Double)?
  /// The critical value of the statistic; nil where a p-value or an interval decides.
  var boundary: Double?
  /// The value whose sign says which variant is higher, where that is not the difference.
  var signed: Double?
  /// Whether there is no baseline to compare with.
  var isAlone = false
  /// Whether nothing can be concluded yet, whatever the numbers are.
  var isEarly = false
  /// The doubts about the method that the numbers of events and the variances raise.
  var findings: [VerdictFinding] = []
  /// The interval of the ratio of treatment to baseline, for methods with one of their own.
  var ratioInterval: Interval?
  /// The method of the lift's interval.
  var liftMethod: String?
  /// Why a value is missing.
  var status: String?
  var method: String
  /// Which values of the metric are better.
  var direction = Metric.Direction.higher

  /// The posterior probability that the variant is better; nil where neither is.
  var chanceToWin: Double? {
    switch direction {
    case .higher: chanceAbove
    case .lower: chanceAbove.map { 1 - $0 }
    case .neutral: nil
    }
  }

  /// What choosing the variant loses on average; nil where nothing is better.
  var expectedLoss: Double? {
    switch direction {
    case .higher: losses?.treatment
    case .lower: losses?.control
    case .neutral: nil
    }
  }
}

/// The rule by which a sample ratio mismatch invalidates a comparison, that of report `health`.
enum SampleRatioRule {
  /// The significance level of the test.
  static let level = HealthOptions().sampleRatioAlpha
}
