internal import Statistics

/// A mark on an axis.
struct PlotTick: Sendable, Equatable {
  /// The value.
  var value: Double
  /// The label.
  var label: String
  /// A second line, where it changes: the date of times of day, the year of dates.
  var detail: String?
}

/// A linear, logarithmic or time scale, and its ticks at round values.
struct PlotScale: Sendable {
  /// The least value.
  let low: Double
  /// The greatest value, above ``low``.
  let high: Double
  /// Whether equal distances are equal factors.
  let isLogarithmic: Bool
  /// The ticks, ascending.
  let ticks: [PlotTick]

  init(low: Double, high: Double, isLogarithmic: Bool = false, ticks: [PlotTick]) {
    (self.low, self.high, self.isLogarithmic, self.ticks) = (low, high, isLogarithmic, ticks)
  }

  /// Returns the position of a value along the axis: 0 at its beginning, 1 at its end. Values beyond an end have the
  /// position of the end.
  func position(_ value: Double) -> Double {
    let value = min(max(value, low), high)
    if isLogarithmic {
      return (Double.log(value) - Double.log(low)) / (Double.log(high) - Double.log(low))
    }
    // Halves, so that the difference of enormous numbers is finite.
    return (value / 2 - low / 2) / (high / 2 - low / 2)
  }

  /// Whether the scale has a value.
  func contains(_ value: Double) -> Bool { value >= low && value <= high }
}
