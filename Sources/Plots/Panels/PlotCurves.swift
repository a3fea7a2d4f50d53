/// Curves with bands, such as regret by the number of decisions, or values over time.
public struct PlotCurves: Sendable, Equatable {
  /// A point of a curve.
  public struct Point: Sendable, Equatable {
    /// The position on the horizontal axis.
    public var x: Double
    /// The value.
    public var y: Double
    /// The lower end of the interval of the value; nil without one.
    public var low: Double?
    /// The upper end of the interval of the value; nil without one.
    public var high: Double?

    /// Creates a point.
    public init(x: Double, y: Double, low: Double? = nil, high: Double? = nil) {
      (self.x, self.y, self.low, self.high) = (x, y, low, high)
    }
  }

  /// A curve.
  public struct Curve: Sendable, Equatable {
    /// The name: any text.
    public var name: String
    /// The points, ascending.
    public var points: [Point]
    /// The index of the colour.
    public var series: Int

    /// Creates a curve.
    public init(_ name: String, _ points: [Point], series: Int) {
      (self.name, self.points, self.series) = (name, points, series)
    }
  }

  /// How points are joined.
  public enum Joining: Sendable, Equatable {
    /// By straight lines.
    case straight
    /// By straight lines where neighbors are at most an eighth of the axis apart. Others are joined by dots, and have
    /// their interval drawn at the point instead of as a band.
    case whereDense
    /// By steps: a value holds until the next point.
    case step
  }

  /// The horizontal axis.
  public var x: PlotAxis
  /// The vertical axis.
  public var y: PlotAxis
  /// The curves, in the order of the legend.
  public var curves: [Curve]
  /// Dashed lines to compare with, such as a bound.
  public var references: [Curve]
  /// How points are joined.
  public var joining: Joining
  /// The number of panels beside one another, 1 or 2.
  public var columns = 2
  /// The height of the area between the axes, in pixels.
  public var height = 195.0

  /// Creates curves.
  public init(
    x: PlotAxis, y: PlotAxis, _ curves: [Curve], references: [Curve] = [],
    joining: Joining = .straight
  ) {
    (self.x, self.y, self.curves) = (x, y, curves)
    (self.references, self.joining) = (references, joining)
  }

  /// Creates values over time, such as those of each day, or a running estimate with a confidence sequence.
  ///
  /// - Parameters:
  ///   - timeTitle: The title of the time axis.
  ///   - y: The vertical axis.
  ///   - curves: The curves; positions are seconds since 1970-01-01T00:00:00Z.
  ///   - reference: A value to compare with, drawn as a dashed line, and its name; nil for none.
  ///   - joining: How points are joined.
  public init(
    over timeTitle: String = "time (UTC)", y: PlotAxis, _ curves: [Curve],
    reference: (value: Double, name: String)? = nil, joining: Joining = .straight
  ) {
    self.init(x: PlotAxis(timeTitle, spacing: .time), y: y, curves, joining: joining)
    (columns, height) = (1, 180)
    let times = curves.flatMap(\.points).map(\.x).filter(\.isFinite)
    if let reference, reference.value.isFinite, let first = times.min(), let last = times.max() {
      let ends = first < last ? [first, last] : [first - 43_200, first + 43_200]
      references = [
        Curve(reference.name, ends.map { Point(x: $0, y: reference.value) }, series: 0)
      ]
    }
  }
}
