/// Shares that add up, period by period, such as the allocation of decisions to variants.
public struct PlotLayers: Sendable, Equatable {
  /// One of the shares.
  public struct Layer: Sendable, Equatable {
    /// The name: any text.
    public var name: String
    /// The value in each period; nil counts as 0.
    public var values: [Double?]
    /// The index of the colour.
    public var series: Int

    /// Creates a layer.
    public init(_ name: String, _ values: [Double?], series: Int) {
      (self.name, self.values, self.series) = (name, values, series)
    }
  }

  /// The title of the axis of time.
  public var timeTitle: String
  /// The vertical axis.
  public var y: PlotAxis
  /// The beginnings of the periods, ascending, in seconds since 1970-01-01T00:00:00Z.
  public var starts: [Double]
  /// The end of the last period.
  public var end: Double
  /// The layers, from the bottom up.
  public var layers: [Layer]

  /// Creates layers.
  public init(
    over timeTitle: String = "time (UTC)", y: PlotAxis, starts: [Double], end: Double, _ layers: [Layer]
  ) {
    self.timeTitle = timeTitle
    (self.y, self.starts, self.end, self.layers) = (y, starts, end, layers)
  }
}

/// One panel of stacked layers, whose values hold for a period each.
struct StackPanel {
  private let panel: PlotPanel
  private let content: PlotLayers
  private let width: Double
  private let frame: PlotFrame
  /// The edges of the layers in each period, from 0 up.
  private let edges: [[Double]]

  init(_ panel: PlotPanel, _ content: PlotLayers, width: Double) {
    (self.panel, self.content, self.width) = (panel, content, width)
    edges = content.starts.indices.map { period in
      content.layers.reduce(into: [0.0]) { edges, layer in
        let value = layer.values.indices.contains(period) ? layer.values[period] ?? 0 : 0
        edges.append((edges.last ?? 0) + (value.isFinite ? max(0, value) : 0))
      }
    }
    let heights = edges.compactMap(\.last)
    let y = PlotScale.linear(
      // Shares add up to 1 but for rounding.
      heights.map { abs($0 - 1) < 1e-6 ? 1 : $0 }, includesZero: true, ticks: 6,
      unit: content.y.unit)
    frame = PlotFrame(
      x: PlotScale.time(content.starts + [content.end], ticks: 9), y: y, xTitle: content.timeTitle,
      yTitle: content.y.title, width: width, height: 170)
  }

  var drawing: PanelDrawing {
    let isEmpty = !edges.contains { ($0.last ?? 0) > 0 }
    guard !isEmpty, content.starts.allSatisfy(\.isFinite), content.end.isFinite else {
      let reason =
        content.layers.isEmpty || content.starts.isEmpty ? panel.emptyReason : "all are 0"
      return PanelDrawing(panel, width: width, saying: reason, in: frame)
    }
    var markup = frame.axes
    for (index, layer) in content.layers.enumerated() {
      markup += Markup.group(
        [SeriesStyle(layer.series).color], area(index, layer) + periods(index, layer))
    }
    let entries = content.layers.reversed().map {
      Legend.Entry(name: $0.name, series: $0.series, sample: .area)
    }
    return PanelDrawing(
      panel, width: width, legend: Legend(entries: entries), content: (markup, frame.totalHeight))
  }

  private func end(of period: Int) -> Double {
    period + 1 < content.starts.count ? content.starts[period + 1] : content.end
  }

  private func area(_ index: Int, _ layer: PlotLayers.Layer) -> Markup {
    var top: [(x: Double, y: Double)] = []
    var bottom: [(x: Double, y: Double)] = []
    for period in content.starts.indices {
      let (from, to) = (frame.across(content.starts[period]), frame.across(end(of: period)))
      let (low, high) = (frame.down(edges[period][index]), frame.down(edges[period][index + 1]))
      top += [(from, high), (to, high)]
      bottom += [(from, low), (to, low)]
    }
    var path = PathData()
    path.lines(top + bottom.reversed())
    path.close()
    return Marks.path(path, "bp-area", SeriesStyle(layer.series).opacity, tooltip: layer.name)
  }

  /// Returns the areas for pointers of each period, unless there are too many.
  private func periods(_ index: Int, _ layer: PlotLayers.Layer) -> Markup {
    guard content.starts.count * content.layers.count <= Marks.mostWithValues else { return .none }
    var markup = Markup.none
    for period in content.starts.indices {
      let (low, high) = (edges[period][index], edges[period][index + 1])
      guard high > low else { continue }
      let x = frame.across(content.starts[period])
      let start = PlotAxis("", spacing: .time).text(content.starts[period])
      let value = content.y.text(high - low)
      markup += Marks.rectangle(
        x, frame.down(high), frame.across(end(of: period)) - x, frame.down(low) - frame.down(high),
        look: "bp-hit",
        values: Marks.Values(
          tooltip: "\(layer.name)\n\(start): \(value)",
          data: [
            Markup.Attribute("data-series", layer.name), Markup.Attribute("data-x", start),
            Markup.Attribute("data-y", value),
          ]))
    }
    return markup
  }
}
