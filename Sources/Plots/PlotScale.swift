internal import Statistics

/// A linear or logarithmic scale and its ticks.
package struct PlotScale: Sendable {
  private let range: ClosedRange<Double>
  private let isLogarithmic: Bool
  /// The distance between ticks; 1 on a logarithmic scale.
  private let interval: Double
  /// The multiples of powers of ten that are ticks of a logarithmic scale.
  private let factors: [Double]

  /// Creates a linear scale from a round number at or below 0 and the least value to one at or above the greatest.
  ///
  /// - Parameters:
  ///   - values: The values to show, all finite.
  ///   - parts: The approximate number of intervals.
  package init(around values: [Double], parts: Int = 5) {
    let low = min(0, values.min() ?? 0)
    let high = max(low + 1e-9, values.max() ?? 1)
    let interval = Self.niceInterval((high - low) / Double(parts))
    range = (low / interval).rounded(.down) * interval...(high / interval).rounded(.up) * interval
    self.interval = interval
    isLogarithmic = false
    factors = []
  }

  /// Creates a linear scale between round numbers, at or below the least value and at or above the greatest.
  ///
  /// - Parameters:
  ///   - values: The values to show, all finite.
  ///   - parts: The approximate number of intervals.
  package init(spanning values: [Double], parts: Int = 5) {
    let (low, high) = (values.min() ?? 0, values.max() ?? 1)
    let least = max(1e-9, max(abs(low), abs(high)) * 1e-3)
    let interval = Self.niceInterval(max(high - low, least) / Double(parts))
    let start = (low / interval).rounded(.down) * interval
    range = start...max((high / interval).rounded(.up) * interval, start + interval)
    self.interval = interval
    isLogarithmic = false
    factors = []
  }

  /// Creates a linear scale from 0 to a value.
  package init(upTo high: Double, parts: Int = 5) {
    range = 0...max(high, .leastNormalMagnitude)
    interval = Self.niceInterval(range.upperBound / Double(parts))
    isLogarithmic = false
    factors = []
  }

  /// Creates a logarithmic scale.
  ///
  /// - Parameters:
  ///   - range: The range; the lower end is above 0 and below the upper one.
  ///   - factors: The multiples of powers of ten that are ticks.
  package init(logarithmic range: ClosedRange<Double>, factors: [Double] = [1]) {
    self.range = range
    self.factors = factors
    interval = 1
    isLogarithmic = true
  }

  /// Returns the position of a value along the axis: 0 at its beginning, 1 at its end.
  package func position(_ value: Double) -> Double {
    let (low, high) = (range.lowerBound, range.upperBound)
    if isLogarithmic { return Double.log(value / low) / Double.log(high / low) }
    return (value - low) / (high - low)
  }

  /// The values of the ticks.
  package var ticks: [Double] {
    let (low, high) = (range.lowerBound, range.upperBound)
    if isLogarithmic {
      let whole = (0...18).map { Double.exp10(Double($0)).rounded() }
      let powers = low < 1 ? [0.0001, 0.001, 0.01, 0.1] + whole : whole
      return powers.flatMap { power in factors.map { $0 * power } }
        .filter { $0 >= low && $0 <= high }
    }
    return (0...20).map { low + Double($0) * interval }.filter { $0 <= high + interval * 1e-9 }
  }

  /// Formats a number in few characters.
  package func text(_ value: Double) -> String {
    if abs(value) < 1e-12 { return "0" }
    // Multiples of an interval have rounding errors in the last digits.
    let rounded = (value / interval).rounded() * interval
    let shown = abs(rounded - value) < 1e-9 * abs(value) ? rounded : value
    if let whole = Int(exactly: shown.rounded()), abs(shown - shown.rounded()) < 1e-9 {
      return whole >= 10_000 && whole % 1_000 == 0 ? "\(whole / 1_000)k" : "\(whole)"
    }
    let scaled = (shown * 1e6).rounded() / 1e6
    return "\(scaled)"
  }

  /// Returns 1, 2 or 5 times a power of ten, no less than a length.
  private static func niceInterval(_ length: Double) -> Double {
    let power = Double.exp10(Double.log10(max(length, 1e-12)).rounded(.down))
    for factor in [1.0, 2, 5] where factor * power >= length * (1 - 1e-9) { return factor * power }
    return 10 * power
  }
}
