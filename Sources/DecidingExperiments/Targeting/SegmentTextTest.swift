public import DecidingCore

/// A test of a text, such as the value of a custom datum.
public enum SegmentTextTest: Hashable, Sendable {
  /// The text contains the other.
  case contains(String)
  /// The text equals the other, byte for byte.
  case exact(String)
  /// The text contains a match of the pattern.
  case regularExpression(TextPattern)
  /// Both texts are decimal numbers, and the comparison holds between them.
  case number(SegmentComparison, String)
  /// The text is `true`, `t` or `1`, in any case.
  case isTrue
  /// The text is `false`, `f` or `0`, in any case.
  case isFalse
  /// The text is one of these.
  case among([String])
  /// There is no text.
  case undefined

  /// Returns whether one of the values matches. For nil, when no value is known, only ``undefined`` is met.
  func isMet(by values: [String]?) -> Bool {
    guard let values else { return self == .undefined }
    return values.contains { isMet(by: $0) }
  }

  /// Returns whether the value matches; false for one that cannot be parsed as the test requires.
  func isMet(by value: String) -> Bool {
    switch self {
    case .contains(let part): value.hasBytes(part)
    case .exact(let text): value.utf8.elementsEqual(text.utf8)
    case .regularExpression(let pattern): pattern.occurs(in: value)
    case .number(let comparison, let number):
      comparison.holds(DecimalText(value), DecimalText(number))
    case .isTrue: ["true", "t", "1"].contains(value.lowercased())
    case .isFalse: ["false", "f", "0"].contains(value.lowercased())
    case .among(let texts): texts.contains { $0.utf8.elementsEqual(value.utf8) }
    case .undefined: false
    }
  }
}
