internal import Replay

/// The verdict of a row of the report `compare` on a variant and its baseline.
public enum ComparisonVerdict: String, CaseIterable, Sendable {
  /// The variant is significantly better, in the direction of the metric.
  case better
  /// The variant is significantly worse.
  case worse
  /// The variant is significantly higher in a metric of which neither direction is better.
  case higher
  /// The variant is significantly lower in such a metric.
  case lower
  /// The difference is not significant.
  case noDifference = "no difference found"
  /// There are too few events to test it, or too few units for the plan.
  case tooEarly = "too early"
  /// The variant is not worse by more than the margin.
  case marginKept = "margin kept"
  /// The variant was not shown to be within the margin.
  case marginOpen = "margin not shown"
  /// The data are damaged, so that the numbers of the row mean nothing.
  case notValid = "not valid"
  /// There is nothing to test: no other variant, values without variance, or a policy that learned.
  case notCompared = "not compared"

  /// Creates the verdict on a variant that is significantly above or below its baseline.
  init(isAbove: Bool, _ direction: Metric.Direction) {
    switch direction {
    case .higher: self = isAbove ? .better : .worse
    case .lower: self = isAbove ? .worse : .better
    case .neutral: self = isAbove ? .higher : .lower
    }
  }

  /// Whether it says which of two variants is above the other.
  var isDecided: Bool {
    switch self {
    case .better, .worse, .higher, .lower: true
    default: false
    }
  }

  /// Whether a test says something: not of damaged data, before there are enough, or where there is nothing to test.
  var isTested: Bool {
    switch self {
    case .notValid, .tooEarly, .notCompared: false
    default: true
    }
  }
}

/// A verdict with the rule that led to it.
struct JudgedComparison: Equatable {
  var verdict: ComparisonVerdict
  /// The name of the rule and the numbers that decided, such as `p_value: 0.003 is below 0.05`.
  var reason: String
  /// Cautions for the reader, by the names of the rules; empty where nothing speaks against reading it.
  var warnings = ""
}
