/// Bars side by side for each group of values, such as importance weights by their size.
public struct PlotHistogram: Sendable, Equatable {
  /// A group of values, with a bar for each series.
  public struct Bin: Sendable, Equatable {
    /// The label below the bars, such as the lower end.
    public var label: String
    /// The height of the bar of each series.
    public var heights: [Double]

    /// Creates a group.
    public init(_ label: String, heights: [Double]) {
      (self.label, self.heights) = (label, heights)
    }
  }

  /// The groups, from left to right.
  public var bins: [Bin]
  /// The names of the series.
  public var series: [String]
  /// The title of the horizontal axis.
  public var binTitle: String
  /// The vertical axis.
  public var y: PlotAxis

  /// Creates a histogram.
  public init(_ bins: [Bin], series: [String], binTitle: String, y: PlotAxis) {
    (self.bins, self.series, self.binTitle, self.y) = (bins, series, binTitle, y)
  }

  /// Returns the panel.
  func drawing(in panel: PlotPanel, width: Double) -> PanelDrawing {
    let heights = bins.flatMap(\.heights).filter(\.isFinite)
    // The labels of groups are drawn here.
    let frame = PlotFrame(
      x: PlotScale(low: 0, high: max(1, Double(bins.count)), ticks: []),
      y: PlotScale.linear(heights, includesZero: true, ticks: 6, unit: y.unit),
      xTitle: binTitle, yTitle: y.title, width: width, height: 150)
    guard heights.contains(where: { $0 > 0 }) else {
      let reason = bins.isEmpty ? panel.emptyReason : "all values are 0"
      return PanelDrawing(panel, width: width, saying: reason, in: frame)
    }
    let entries = series.enumerated().map {
      Legend.Entry(name: $1, series: $0, sample: .area)
    }
    return PanelDrawing(
      panel, width: width, legend: entries.count > 1 ? Legend(entries: entries) : nil,
      content: (frame.axes + labels(frame) + bars(frame), frame.totalHeight))
  }

  private func bars(_ frame: PlotFrame) -> Markup {
    var markup = Markup.none
    let step = frame.width / Double(bins.count)
    let isFew = bins.count * series.count <= Marks.mostWithValues
    // A few bars are not spread over all the width.
    let bar = min(step * 0.84 / Double(max(1, series.count)), 30)
    for (place, name) in series.enumerated() {
      var own = Markup.none
      for (index, bin) in bins.enumerated() where bin.heights.indices.contains(place) {
        let height = bin.heights[place]
        guard height.isFinite, height > 0 else { continue }
        let middle = frame.left + (Double(index) + 0.5) * step
        let x = middle + (Double(place) - Double(series.count) / 2) * bar
        let text = y.text(height)
        let values = Marks.Values(
          tooltip: "\(binTitle) \(bin.label)\n\(name): \(text)",
          data: [
            Markup.Attribute("data-series", name), Markup.Attribute("data-x", bin.label),
            Markup.Attribute("data-y", text),
          ])
        own += Marks.rectangle(
          x, frame.down(height), bar - 0.5, frame.down(0) - frame.down(height),
          values: isFew ? values : nil)
      }
      markup += Markup.group([SeriesStyle(place).color], own)
    }
    return markup
  }

  /// Returns the labels below the groups for which there is room.
  private func labels(_ frame: PlotFrame) -> Markup {
    var markup = Markup.none
    let step = frame.width / Double(bins.count)
    let widest = bins.map { TextWidth.of($0.label, size: 11) }.max() ?? 0
    let every = max(1, Int(((widest + 8) / step).rounded(.up)))
    for (index, bin) in bins.enumerated() where index % every == 0 {
      markup += Label.text(
        bin.label, x: frame.left + (Double(index) + 0.5) * step, y: frame.top + frame.height + 15,
        anchor: .middle, look: .muted, size: 11)
    }
    return markup
  }
}
