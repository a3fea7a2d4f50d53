/// When a column is compressed with DEFLATE after its own encoding. Inflating costs more than unpacking,
/// so a column that is read often should earn it.
public enum CompressionProfile: String, CaseIterable, Sendable {
  /// Only texts: the fastest to scan.
  case fast
  /// Also other columns that shrink by a third or more.
  case balanced
  /// Every column that shrinks by 3 % or more: the smallest.
  case small

  /// The largest share of its bytes that a column may keep for DEFLATE to be worth it.
  func largestShare(isText: Bool) -> Double {
    switch self {
    case .fast: isText ? 0.97 : 0
    case .balanced: isText ? 0.97 : 0.667
    case .small: 0.97
    }
  }

  /// The number that stands for the profile in a segment's header; it never changes.
  var code: UInt8 {
    switch self {
    case .fast: 1
    case .balanced: 2
    case .small: 3
    }
  }

  /// The profile of a number; nil when there is none.
  init?(code: UInt8) {
    guard let profile = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = profile
  }
}
