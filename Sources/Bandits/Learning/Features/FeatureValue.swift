internal import Specifications

/// The value of an attribute: of the context of a unit, or a feature of a variant. An absent value is nil.
public enum FeatureValue: Hashable, Sendable {
  /// A text.
  case text(String)
  /// A number.
  case number(Double)
  /// A flag.
  case flag(Bool)

  /// Compares texts by their UTF-8 bytes.
  public static func == (a: FeatureValue, b: FeatureValue) -> Bool {
    switch (a, b) {
    case (.text(let a), .text(let b)): a.isSameName(as: b)
    case (.number(let a), .number(let b)): a == b
    case (.flag(let a), .flag(let b)): a == b
    default: false
    }
  }

  /// Hashes texts by their UTF-8 bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): hasher.combine(NameKey(text))
    case .number(let number): hasher.combine(number)
    case .flag(let flag): hasher.combine(flag)
    }
  }

  /// The number that a numeric feature takes: that of a number, 1 or 0 for a flag, and NaN (absent) for a
  /// text or a NaN. Numbers beyond ±1e100, infinities included, are clamped so that squares are finite.
  var number: Double {
    switch self {
    case .text: .nan
    case .number(let number): number.isNaN ? .nan : min(max(number, -1e100), 1e100)
    case .flag(let flag): flag ? 1 : 0
    }
  }

  /// Whether the value is a NaN, which counts as absent.
  var isMissing: Bool {
    if case .number(let number) = self { number.isNaN } else { false }
  }

  /// The text by which values are counted, looked up and hashed: `7` and `7.0` are both `7`, and a flag is `true` or
  /// `false`, so a number written as text in one file and as a number in another is one value.
  var text: String {
    switch self {
    case .text(let text): text
    case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
    case .flag(let flag): flag ? "true" : "false"
    }
  }
}

/// A value of an attribute as features read it: prepared once per distinct value by ``FeatureMap/cell(_:of:)`` or
/// ``FeatureSurvey/cell(_:of:)``, then copied into any number of rows.
///
/// A caller with dictionary-encoded columns keeps one cell per code of each column.
public struct FeatureCell: Sendable {
  /// The number; NaN if absent.
  var number: Double
  /// The hash of the text; 0 if no feature hashes the attribute.
  var hash: UInt64
  /// The code of the text among the values that are known; 0 if absent.
  var code: Int32

  /// The cell of an absent value.
  public static let absent = FeatureCell(number: .nan, hash: 0, code: 0)
}
