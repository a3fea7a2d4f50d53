/// A comparison of a visitor's value with that of a condition.
public enum SegmentComparison: String, Hashable, Sendable, CaseIterable {
  /// The value is lower.
  case lower = "LOWER"
  /// The values are equal.
  case equal = "EQUAL"
  /// The value is greater.
  case greater = "GREATER"

  /// Returns whether the comparison holds between the two values.
  func holds<Value: Comparable>(_ value: Value, _ other: Value) -> Bool {
    switch self {
    case .lower: value < other
    case .equal: value == other
    case .greater: value > other
    }
  }

  /// Returns whether the comparison holds between the two values; false when one of them is missing.
  func holds<Value: Comparable>(_ value: Value?, _ other: Value?) -> Bool {
    guard let value, let other else { return false }
    return holds(value, other)
  }
}
