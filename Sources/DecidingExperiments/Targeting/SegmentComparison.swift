/// How a value stands to the one that a condition names.
public enum SegmentComparison: String, Hashable, Sendable, CaseIterable {
  /// It is lower.
  case lower = "LOWER"
  /// It is the same.
  case equal = "EQUAL"
  /// It is greater.
  case greater = "GREATER"

  /// Whether the value stands so to the other.
  func holds<Value: Comparable>(_ value: Value, _ other: Value) -> Bool {
    switch self {
    case .lower: value < other
    case .equal: value == other
    case .greater: value > other
    }
  }

  /// Whether the value stands so to the other; not when one of them is missing.
  func holds<Value: Comparable>(_ value: Value?, _ other: Value?) -> Bool {
    guard let value, let other else { return false }
    return holds(value, other)
  }
}
