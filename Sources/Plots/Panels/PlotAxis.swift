/// The quantity along an axis.
public struct PlotAxis: Sendable, Equatable {
  /// How values are placed along an axis.
  public enum Spacing: Sendable, Equatable {
    /// Equal distances are equal differences.
    case linear
    /// Equal distances are equal factors; values that are not above 0 have no place.
    case logarithmic
    /// Values are seconds since 1970-01-01T00:00:00Z; labels are dates and times in UTC.
    case time
  }

  /// The title, with the unit if there is one.
  public var title: String
  /// How values are placed.
  public var spacing: Spacing
  /// How values are written.
  public var unit: PlotUnit
  /// Whether 0 is on a linear axis whatever the values.
  public var includesZero: Bool

  /// Creates an axis.
  public init(
    _ title: String, spacing: Spacing = .linear, unit: PlotUnit = .number,
    includesZero: Bool = false
  ) {
    (self.title, self.spacing) = (title, spacing)
    (self.unit, self.includesZero) = (unit, includesZero)
  }

  /// Returns the scale of some values.
  func scale(_ values: [Double], isTight: Bool, ticks: Int) -> PlotScale {
    switch spacing {
    case .linear:
      PlotScale.linear(
        values, includesZero: includesZero, isTight: isTight, ticks: ticks, unit: unit)
    case .logarithmic: PlotScale.logarithmic(values, ticks: ticks, unit: unit)
    case .time: PlotScale.time(values, ticks: ticks)
    }
  }

  /// Returns whether a value has a place on the axis.
  func has(_ value: Double) -> Bool {
    value.isFinite && (spacing != .logarithmic || value > 0)
  }

  /// Returns a number with three or four digits.
  func short(_ value: Double) -> String {
    PlotNumber.text(value, unit: unit, digits: unit == .percent ? 3 : 4)
  }

  /// Returns a value as text.
  func text(_ value: Double) -> String {
    guard spacing == .time, abs(value) < 3e11 else { return PlotNumber.text(value, unit: unit) }
    return CivilTime(seconds: Int(value.rounded())).text
  }
}
