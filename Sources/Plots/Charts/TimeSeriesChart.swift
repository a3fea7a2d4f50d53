/// Values over time, such as those of each day, or a running estimate with a confidence sequence.
public struct TimeSeriesChart: Chart {
  /// Series on common axes.
  public struct Panel: Sendable, Equatable {
    /// The title.
    public var title: String
    /// A remark below the title.
    public var note: String
    /// The vertical axis.
    public var y: PlotAxis
    /// The series; positions are seconds since 1970-01-01T00:00:00Z.
    public var series: [LineChart.Curve]
    /// A value to compare with, drawn as a dashed line; nil for none.
    public var reference: Double?
    /// The name of the value to compare with.
    public var referenceName: String
    /// What an empty panel says.
    public var emptyReason: String

    /// Creates a panel.
    public init(
      title: String, note: String = "", y: PlotAxis, series: [LineChart.Curve],
      reference: Double? = nil, referenceName: String = "",
      emptyReason: String = "there are no values"
    ) {
      (self.title, self.note, self.y, self.series) = (title, note, y, series)
      (self.reference, self.referenceName) = (reference, referenceName)
      self.emptyReason = emptyReason
    }
  }

  /// The panels, in reading order.
  public var panels: [Panel]
  /// The title of the time axis.
  public var timeTitle: String
  /// Whether a value holds until the next one.
  public var isStep: Bool

  /// Creates a chart.
  public init(panels: [Panel], timeTitle: String = "time (UTC)", isStep: Bool = false) {
    (self.panels, self.timeTitle, self.isStep) = (panels, timeTitle, isStep)
  }

  public func figures(name: String, title: String, description: String) -> [Figure] {
    LineChart(
      panels: panels.map(curves), joining: isStep ? .step : .straight, columns: 1, height: 180
    ).figures(name: name, title: title, description: description)
  }

  private func curves(_ panel: Panel) -> LineChart.Panel {
    let times = panel.series.flatMap(\.points).map(\.x).filter(\.isFinite)
    var references: [LineChart.Curve] = []
    if let reference = panel.reference, reference.isFinite, let first = times.min(),
      let last = times.max()
    {
      let ends = first < last ? [first, last] : [first - 43_200, first + 43_200]
      references = [
        LineChart.Curve(
          panel.referenceName, ends.map { LineChart.Point(x: $0, y: reference) }, series: 0)
      ]
    }
    return LineChart.Panel(
      title: panel.title, note: panel.note, x: PlotAxis(timeTitle, spacing: .time), y: panel.y,
      curves: panel.series, references: references, emptyReason: panel.emptyReason)
  }
}
