/// Horizontal bars, each with what was expected of it if that is known: units of each variant, steps of a funnel.
public struct BarChart: Chart {
  /// A bar.
  public struct Bar: Sendable, Equatable {
    /// The name: any text.
    public var name: String
    /// The heading of the bars that it belongs to; bars of the same group are adjacent. Empty for none.
    public var group: String
    /// The length.
    public var value: Double
    /// The expected length, drawn as a mark across the bar; nil for none.
    public var expected: Double?
    /// The lower end of the interval; nil without one.
    public var low: Double?
    /// The upper end of the interval; nil without one.
    public var high: Double?
    /// A remark of a few words at the end of the row.
    public var note: String
    /// The index of the colour.
    public var series: Int

    /// Creates a bar.
    public init(
      _ name: String, group: String = "", value: Double, expected: Double? = nil,
      low: Double? = nil, high: Double? = nil, note: String = "", series: Int = 0
    ) {
      (self.name, self.group, self.value, self.expected) = (name, group, value, expected)
      (self.low, self.high, self.note, self.series) = (low, high, note, series)
    }
  }

  /// Bars on a common axis.
  public struct Panel: Sendable, Equatable {
    /// The title.
    public var title: String
    /// A remark below the title.
    public var note: String
    /// The axis.
    public var axis: PlotAxis
    /// The bars, from top to bottom.
    public var bars: [Bar]
    /// What an empty panel says.
    public var emptyReason: String

    /// Creates a panel.
    public init(
      title: String, note: String = "", axis: PlotAxis, bars: [Bar],
      emptyReason: String = "there are no bars"
    ) {
      (self.title, self.note, self.axis, self.bars) = (title, note, axis, bars)
      self.emptyReason = emptyReason
    }
  }

  /// The panels, in reading order.
  public var panels: [Panel]

  /// Creates a chart.
  public init(panels: [Panel]) { self.panels = panels }

  /// The most bars of a panel: more continue in another one, with the same axis.
  private static let mostBars = 36

  public func figures(name: String, title: String, description: String) -> [Figure] {
    FigurePages(name: name, title: title, description: description, columns: 1)
      .figures(
        panels.flatMap { panel in Self.parts(panel).map { BarPanel($0, of: panel).drawing } })
  }

  private static func parts(_ panel: Panel) -> [Panel] {
    guard panel.bars.count > mostBars else { return [panel] }
    let starts = Array(stride(from: 0, to: panel.bars.count, by: mostBars))
    return starts.enumerated().map { index, start in
      var part = panel
      part.title += " (\(index + 1) of \(starts.count))"
      part.bars = Array(panel.bars[start..<min(start + mostBars, panel.bars.count)])
      return part
    }
  }
}
