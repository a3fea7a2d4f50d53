/// Values with intervals, one in each row: rewards of variants, a forest plot of lifts, estimates of policies.
public struct IntervalChart: Chart {
  /// A value with its interval.
  public struct Row: Sendable, Equatable {
    /// The name: any text.
    public var name: String
    /// The heading of the rows that it belongs to; rows of the same group are adjacent. Empty for none.
    public var group: String
    /// The value; nil if there is none.
    public var value: Double?
    /// The lower end of the interval; nil if there is none.
    public var low: Double?
    /// The upper end of the interval; nil if there is none.
    public var high: Double?
    /// A remark of a few words at the end of the row.
    public var note: String
    /// The index of the colour.
    public var series: Int
    /// Whether the value should not be relied on: the dot is hollow and the line dashed.
    public var isDoubtful: Bool

    /// Creates a row.
    public init(
      _ name: String, group: String = "", value: Double?, low: Double? = nil, high: Double? = nil,
      note: String = "", series: Int = 0, isDoubtful: Bool = false
    ) {
      (self.name, self.group, self.value) = (name, group, value)
      (self.low, self.high, self.note, self.series) = (low, high, note, series)
      self.isDoubtful = isDoubtful
    }
  }

  /// Rows on a common axis.
  public struct Panel: Sendable, Equatable {
    /// The title.
    public var title: String
    /// A remark below the title.
    public var note: String
    /// The axis.
    public var axis: PlotAxis
    /// The rows, from top to bottom.
    public var rows: [Row]
    /// A value to compare with, drawn as a dashed line; nil for none.
    public var reference: Double?
    /// The name of the value to compare with.
    public var referenceName: String
    /// What a panel without values says.
    public var emptyReason: String
    /// The values between which intervals are drawn: beyond them they go on without an end. Nil for no limits.
    public var limits: ClosedRange<Double>?

    /// Creates a panel.
    public init(
      title: String, note: String = "", axis: PlotAxis, rows: [Row], reference: Double? = nil,
      referenceName: String = "", emptyReason: String = "there are no values",
      limits: ClosedRange<Double>? = nil
    ) {
      (self.title, self.note, self.axis, self.rows) = (title, note, axis, rows)
      (self.reference, self.referenceName) = (reference, referenceName)
      (self.emptyReason, self.limits) = (emptyReason, limits)
    }
  }

  /// The panels, in reading order.
  public var panels: [Panel]

  /// Creates a chart.
  public init(panels: [Panel]) { self.panels = panels }

  public func figures(name: String, title: String, description: String) -> [Figure] {
    FigurePages(name: name, title: title, description: description, columns: 1).figures(
      panels.flatMap { panel in
        Self.parts(panel).map { IntervalPanel($0, of: panel).drawing }
      })
  }

  /// The most rows of a panel: more continue in another one, with the same axis.
  private static let mostRows = 36

  private static func parts(_ panel: Panel) -> [Panel] {
    guard panel.rows.count > mostRows else { return [panel] }
    let starts = Array(stride(from: 0, to: panel.rows.count, by: mostRows))
    return starts.enumerated().map { index, start in
      var part = panel
      part.title += " (\(index + 1) of \(starts.count))"
      part.rows = Array(panel.rows[start..<min(start + mostRows, panel.rows.count)])
      return part
    }
  }
}
