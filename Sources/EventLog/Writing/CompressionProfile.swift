/// When a column is compressed with DEFLATE after its own encoding. Inflating costs more than unpacking, so
/// compression should pay off for a column that is read often.
public enum CompressionProfile: String, CaseIterable, Sendable {
  /// Only texts are compressed: the fastest to scan.
  case fast
  /// Other columns are compressed too if they shrink by a third or more.
  case balanced
  /// Every column that shrinks by 3 % or more is compressed: the smallest.
  case small

  /// Returns the maximum ratio of compressed to uncompressed size at which DEFLATE is used.
  func largestShare(isText: Bool) -> Double {
    switch self {
    case .fast: isText ? 0.97 : 0
    case .balanced: isText ? 0.97 : 0.667
    case .small: 0.97
    }
  }

  /// The code of the profile in a segment's header; it never changes.
  var code: UInt8 {
    switch self {
    case .fast: 1
    case .balanced: 2
    case .small: 3
    }
  }

  /// Creates the profile of a code; nil if there is none.
  init?(code: UInt8) {
    guard let profile = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = profile
  }
}
