internal import Specifications
internal import Tables

/// Numbers in sentences: few digits, the same on every machine.
enum AnswerNumber {
  /// Returns a p-value or probability with two significant digits, such as `0.0083` or `2.5e-10`.
  static func probability(_ value: Double) -> String { NumberText.readable(value, digits: 2) }

  /// Returns what a p-value says: `p = 0.0083`, or `p < 1e-9`.
  static func pValue(_ value: Double) -> String {
    value < 1e-9 ? "p < 1e-9" : "p = \(probability(value))"
  }

  /// Returns a fraction as a percentage, such as `0.42 %`, `4.2 %` or `42.1 %`.
  static func percent(_ fraction: Double) -> String { significant(fraction * 100) + " %" }

  /// Returns a fraction as a percentage with so many significant digits, and every digit before the point.
  static func percent(_ fraction: Double, digits: Int) -> String {
    NumberText.readable(fraction * 100, digits: digits) + " %"
  }

  /// Returns a number with two significant digits, or three from 10 on.
  static func significant(_ value: Double) -> String {
    NumberText.readable(value, digits: value.magnitude < 10 ? 2 : 3)
  }

  /// Returns a change as a percentage with its sign, such as `+4.2 %`.
  static func change(_ fraction: Double) -> String { sign(fraction) + percent(fraction) }

  /// Returns a change as a percentage with its sign and so many significant digits.
  static func change(_ fraction: Double, digits: Int) -> String { sign(fraction) + percent(fraction, digits: digits) }

  private static func sign(_ fraction: Double) -> String { fraction > 0 ? "+" : "" }

  /// The significant digits of the ends of an interval of lifts.
  static let endDigits = 2

  /// Returns the end of an interval of lifts without its sign of percent.
  static func end(_ fraction: Double) -> String { NumberText.readable(fraction * 100, digits: endDigits) }

  /// Returns the ends of an interval, such as `1.2 to 7` or, of one with a single end, `from 1.2` or `up to 7`; nil
  /// without ends.
  static func interval(_ low: Double?, _ high: Double?, _ text: (Double) -> String) -> String? {
    switch (low, high) {
    case (let low?, let high?): "\(text(low)) to \(text(high))"
    case (let low?, nil): "from \(text(low))"
    case (nil, let high?): "up to \(text(high))"
    case (nil, nil): nil
    }
  }

  /// Returns a number with three significant digits, and every digit before the point.
  static func number(_ value: Double) -> String { NumberText.readable(value, digits: 3) }
}
