/// The verdict of a row of the report `compare` on a variant and its baseline.
public enum ComparisonVerdict: String, CaseIterable, Sendable {
  /// The variant is significantly higher.
  case higher
  /// The variant is significantly lower.
  case lower
  /// The difference is not significant, or there are too few events to test it.
  case undecided
  /// The variant is not worse by more than the margin.
  case marginKept = "margin kept"
  /// The data are damaged, so that the numbers of the row mean nothing.
  case notValid = "not valid"
  /// There is nothing to test: no other variant, or values without variance.
  case notCompared = "not compared"
}

/// A verdict with the rule that led to it.
struct JudgedComparison: Equatable {
  var verdict: ComparisonVerdict
  /// The name of the rule and the numbers that decided, such as `p_value: 0.003 is below 0.05`.
  var reason: String
  /// Cautions for the reader, by the names of the rules; empty where nothing speaks against reading it.
  var warnings = ""
}
