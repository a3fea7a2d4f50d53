/// Curves with bands, such as regret by the number of decisions.
public struct LineChart: Chart {
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

  /// Curves on common axes.
  public struct Panel: Sendable, Equatable {
    /// The title.
    public var title: String
    /// A remark below the title.
    public var note: String
    /// The horizontal axis.
    public var x: PlotAxis
    /// The vertical axis.
    public var y: PlotAxis
    /// The curves, in the order of the legend.
    public var curves: [Curve]
    /// Dashed lines to compare with, such as a bound.
    public var references: [Curve]
    /// What an empty panel says.
    public var emptyReason: String

    /// Creates a panel.
    public init(
      title: String, note: String = "", x: PlotAxis, y: PlotAxis, curves: [Curve],
      references: [Curve] = [], emptyReason: String = "there are no points"
    ) {
      (self.title, self.note, self.x, self.y) = (title, note, x, y)
      (self.curves, self.references) = (curves, references)
      self.emptyReason = emptyReason
    }
  }

  /// The panels, in reading order.
  public var panels: [Panel]
  /// How points are joined.
  public var joining: Joining
  /// The number of panels beside one another, 1 or 2.
  public var columns: Int
  /// The height of the area between the axes, in pixels.
  public var height: Double

  /// Creates a chart.
  public init(
    panels: [Panel], joining: Joining = .straight, columns: Int = 2, height: Double = 195
  ) {
    (self.panels, self.joining, self.height) = (panels, joining, height)
    self.columns = min(max(columns, 1), 2)
  }

  public func figures(name: String, title: String, description: String) -> [Figure] {
    // A single panel has all the width.
    let columns = min(columns, max(panels.count, 1))
    let width = FigurePages.panelWidth(columns: columns)
    return FigurePages(name: name, title: title, description: description, columns: columns)
      .figures(
        panels.map {
          CurvePanel($0, joining: joining, width: width, height: height).drawing
        })
  }
}
