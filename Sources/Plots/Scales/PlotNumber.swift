internal import Specifications
internal import Statistics

/// The unit of the numbers along an axis.
public enum PlotUnit: Sendable, Equatable {
  /// Plain numbers.
  case number
  /// Shares, of which 1 is written 100%.
  case percent
}

/// Numbers as text, for labels and tooltips.
enum PlotNumber {
  /// Returns a number with some significant digits, and every digit before the point.
  static func text(_ value: Double, unit: PlotUnit = .number, digits: Int = 5) -> String {
    if unit == .percent {
      return abs(value) < 1e12 ? text(value * 100, digits: digits) + "%" : "\(value)"
    }
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : "not finite" }
    let exponent = Double.log10(abs(value)).rounded(.down)
    let decimals = max(0, Double(digits) - 1 - exponent)
    guard decimals < 20, abs(value) < 1e15 else { return "\(value)" }
    let power = Double.exp10(decimals).rounded()
    let rounded = (value * power).rounded() / power
    let text = "\(rounded)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns a multiple of a power of ten exactly, for the labels of one axis.
  ///
  /// - Parameters:
  ///   - count: The multiple.
  ///   - exponent: The exponent of the power of ten.
  ///   - greatest: The greatest magnitude on the axis, which decides on k, M or an exponent for all.
  ///   - unit: What the number is.
  /// - Returns: The number as text.
  static func multiple(
    _ count: Int, exponent: Int, greatest: Double, unit: PlotUnit = .number
  ) -> String {
    if unit == .percent {
      return multiple(count, exponent: exponent + 2, greatest: greatest * 100) + "%"
    }
    if count == 0 { return "0" }
    if exponent > 8 || exponent < -6 || greatest >= 1e12 {
      return scientific(count, exponent)
    }
    if exponent < 0 { return decimal(count, -exponent) }
    if exponent >= 5, greatest >= 1e6 { return decimal(count * power(exponent - 5), 1) + "M" }
    if exponent >= 2, greatest >= 1e4 { return decimal(count * power(exponent - 2), 1) + "k" }
    return "\(count * power(exponent))"
  }

  /// Returns 12.5 for 125 and 1; without zeros at the end.
  private static func decimal(_ count: Int, _ decimals: Int) -> String {
    NumberText.fixed(
      Double(count) / Double(power(decimals)), places: decimals, dropsZeros: true)
  }

  private static func scientific(_ count: Int, _ exponent: Int) -> String {
    var digits = Array(String(count.magnitude))
    let power = exponent + digits.count - 1
    while digits.count > 1, digits.last == "0" { digits.removeLast() }
    let fraction = String(digits.dropFirst())
    return (count < 0 ? "-" : "") + String(digits.prefix(1))
      + (fraction.isEmpty ? "" : "." + fraction) + "e\(power)"
  }

  private static func power(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { p, _ in p * 10 } }
}
