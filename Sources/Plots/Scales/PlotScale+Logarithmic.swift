internal import Statistics

extension PlotScale {
  /// Creates a logarithmic scale from the least to the greatest positive value.
  ///
  /// - Parameters:
  ///   - values: The values; those that are not finite or not above 0 are ignored.
  ///   - most: The maximum number of ticks, at least 4.
  ///   - unit: How labels are written.
  /// - Returns: The scale.
  static func logarithmic(
    _ values: [Double], ticks most: Int = 7, unit: PlotUnit = .number
  ) -> PlotScale {
    let positive = values.filter { $0 > 0 && $0.isFinite }.map { min(max($0, 1e-300), 1e300) }
    var (low, high) = (positive.min() ?? 1, positive.max() ?? 10)
    if high < low * (1 + 1e-9) { (low, high) = (low / 2, high * 2) }
    var ticks = LogarithmicTicks.finest(low, high, most: most, unit: unit)
    if ticks.count < 3 {
      ticks = linear([low, high], isTight: true, ticks: most, unit: unit).ticks
    }
    return PlotScale(low: low, high: high, isLogarithmic: true, ticks: ticks)
  }
}

/// Ticks at powers of ten, at some multiples of them, or at every few.
private enum LogarithmicTicks {
  /// Returns the most ticks up to a number.
  static func finest(_ low: Double, _ high: Double, most: Int, unit: PlotUnit) -> [PlotTick] {
    let first = Int((Double.log10(low) - 1e-9).rounded(.down))
    let last = Int((Double.log10(high) + 1e-9).rounded(.down))
    let choices: [(factors: [Int], every: Int)] =
      [([1, 2, 5], 1), ([1, 3], 1)] + [1, 2, 3, 5, 10, 20, 50, 100, 200].map { ([1], $0) }
    for choice in choices where (last - first) / choice.every <= most {
      var ticks: [PlotTick] = []
      for power in first...last where power % choice.every == 0 {
        for factor in choice.factors {
          let value = DecimalStep(factor: factor, exponent: power).value(1)
          guard value >= low * (1 - 1e-9), value <= high * (1 + 1e-9) else { continue }
          ticks.append(
            PlotTick(
              value: value,
              label: PlotNumber.multiple(factor, exponent: power, greatest: value, unit: unit)))
        }
      }
      if ticks.count <= most { return ticks }
    }
    return []
  }
}
