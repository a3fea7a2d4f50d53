internal import Statistics

extension PlotScale {
  /// Creates a linear scale of values.
  ///
  /// - Parameters:
  ///   - values: The values; those that are not finite are ignored.
  ///   - includesZero: Whether 0 is on the scale.
  ///   - isTight: Whether the scale ends with the least and greatest value instead of with round numbers.
  ///   - most: The maximum number of ticks, at least 4; a few more if there would be fewer than 3.
  ///   - unit: How labels are written.
  /// - Returns: The scale.
  static func linear(
    _ values: [Double], includesZero: Bool = false, isTight: Bool = false, ticks most: Int = 7,
    unit: PlotUnit = .number
  ) -> PlotScale {
    let range = range(values, includesZero: includesZero)
    let (low, high) = (range.lowerBound, range.upperBound)
    var steps = DecimalStep.atLeast((high / 2 - low / 2) / Double(most) * 2)
    var counts = steps.counts(low, high, isTight: isTight)
    var finer = (steps, counts)
    while counts.count > most {
      finer = (steps, counts)
      steps = steps.next
      counts = steps.counts(low, high, isTight: isTight)
    }
    if counts.count < 3 { (steps, counts) = finer }
    let greatest = counts.map { abs(steps.value($0)) }.max() ?? 0
    let ticks = counts.map {
      PlotTick(
        value: steps.value($0),
        label: PlotNumber.multiple(
          $0 * steps.factor, exponent: steps.exponent, greatest: greatest, unit: unit))
    }
    guard !isTight, let first = ticks.first, let last = ticks.last else {
      return PlotScale(low: low, high: high, ticks: ticks)
    }
    return PlotScale(low: first.value, high: last.value, ticks: ticks)
  }

  /// Returns the range of the finite values; around a single value, or from 0 to 1 without any.
  private static func range(_ values: [Double], includesZero: Bool) -> ClosedRange<Double> {
    let finite = values.filter(\.isFinite).map { min(max($0, -1e300), 1e300) }
    guard var low = finite.min(), var high = finite.max() else { return 0...1 }
    if includesZero { (low, high) = (min(low, 0), max(high, 0)) }
    let greatest = max(abs(low), abs(high))
    if greatest < 1e-300 { return 0...1 }
    // Labels have at most ten digits: values that differ less are drawn as one.
    if high - low < greatest * 1e-9 {
      (low, high) = (low - greatest * 0.05, high + greatest * 0.05)
    }
    return low...high
  }
}

/// A distance between ticks: 1, 2 or 5 times a power of ten.
struct DecimalStep {
  /// 1, 2 or 5.
  let factor: Int
  /// The exponent of the power of ten.
  let exponent: Int

  /// Returns a step no less than about half a distance and at most the distance.
  static func atLeast(_ distance: Double) -> DecimalStep {
    DecimalStep(factor: 1, exponent: Int(Double.log10(distance).rounded(.down)))
  }

  /// The next greater step.
  var next: DecimalStep {
    switch factor {
    case 1: DecimalStep(factor: 2, exponent: exponent)
    case 2: DecimalStep(factor: 5, exponent: exponent)
    default: DecimalStep(factor: 1, exponent: exponent + 1)
    }
  }

  /// Returns a multiple of the step.
  func value(_ count: Int) -> Double {
    let whole = Double(count * factor)
    // A division rounds once where the power is exact.
    return exponent < 0 && exponent > -290
      ? whole / Double.exp10(Double(-exponent)).rounded()
      : whole * Double.exp10(Double(exponent))
  }

  /// Returns the multiples within a range, or those around it.
  func counts(_ low: Double, _ high: Double, isTight: Bool) -> Range<Int> {
    let length = value(1)
    let (first, last) = (low / length, high / length)
    let start = Int(isTight ? (first - 1e-9).rounded(.up) : (first + 1e-9).rounded(.down))
    let end = Int(isTight ? (last + 1e-9).rounded(.down) : (last - 1e-9).rounded(.up))
    return start..<max(start, end + 1)
  }
}
