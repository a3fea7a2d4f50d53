/// Values with intervals, one in each row along a common axis: rewards of variants, a forest plot of lifts, estimates
/// of policies, units of each variant, steps of a funnel.
public struct PlotRows: Sendable, Equatable {
  /// The mark of a value.
  public enum Mark: Sendable, Equatable {
    /// A dot.
    case dot
    /// A bar from 0.
    case bar
  }

  /// A value with its interval.
  public struct Row: Sendable, Equatable {
    /// The name: any text.
    public var name: String
    /// The heading of the rows that it belongs to; rows of the same group are adjacent. Empty for none.
    public var group: String
    /// The value; nil if there is none.
    public var value: Double?
    /// The expected value, drawn as a mark across a bar; nil for none.
    public var expected: Double?
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
      _ name: String, group: String = "", value: Double?, expected: Double? = nil,
      low: Double? = nil, high: Double? = nil, note: String = "", series: Int = 0,
      isDoubtful: Bool = false
    ) {
      (self.name, self.group, self.value, self.expected) = (name, group, value, expected)
      (self.low, self.high, self.note, self.series) = (low, high, note, series)
      self.isDoubtful = isDoubtful
    }
  }

  /// The marks of the values.
  public var mark: Mark
  /// The axis.
  public var axis: PlotAxis
  /// The rows, from top to bottom.
  public var rows: [Row]
  /// A value to compare with, drawn as a dashed line; nil for none.
  public var reference: Double?
  /// The name of the value to compare with.
  public var referenceName: String
  /// The values between which intervals are drawn: beyond them they go on without an end. Nil for no limits.
  public var limits: ClosedRange<Double>?

  /// Creates rows.
  public init(
    _ axis: PlotAxis, _ rows: [Row], as mark: Mark = .dot, reference: Double? = nil,
    referenceName: String = "", limits: ClosedRange<Double>? = nil
  ) {
    (self.mark, self.axis, self.rows) = (mark, axis, rows)
    (self.reference, self.referenceName, self.limits) = (reference, referenceName, limits)
    // Bars begin there.
    if mark == .bar { self.axis.includesZero = true }
  }

  /// The most rows of a panel: more continue in another one, with the same axis.
  private static let mostRows = 36

  /// Returns the panels: names at the left, marks along an axis, and the numbers at the right.
  func drawings(in panel: PlotPanel) -> [PanelDrawing] {
    let layout = RowPanel.layout(self)
    let starts = Array(stride(from: 0, to: max(rows.count, 1), by: Self.mostRows))
    return starts.enumerated().map { index, start in
      var (panel, part) = (panel, self)
      if starts.count > 1 { panel.title += " (\(index + 1) of \(starts.count))" }
      part.rows = Array(rows[start..<min(start + Self.mostRows, rows.count)])
      return RowPanel(panel, part, layout).drawing
    }
  }
}
