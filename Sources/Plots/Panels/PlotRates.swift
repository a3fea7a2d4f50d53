/// A reliability diagram: the observed rate against the predicted probability, with the number of predictions below.
///
/// A. Niculescu-Mizil and R. Caruana, *Predicting good probabilities with supervised learning*, ICML 2005.
public struct PlotRates: Sendable, Equatable {
  /// Predictions of similar probability.
  public struct Bin: Sendable, Equatable {
    /// The range of the probabilities.
    public var range: ClosedRange<Double>
    /// The number of predictions.
    public var count: Int
    /// The mean probability.
    public var predicted: Double
    /// The observed rate.
    public var observed: Double
    /// The lower end of the interval of ``observed``; nil without one.
    public var low: Double?
    /// The upper end of the interval of ``observed``; nil without one.
    public var high: Double?

    /// Creates a bin.
    public init(
      _ range: ClosedRange<Double>, count: Int, predicted: Double, observed: Double,
      low: Double? = nil, high: Double? = nil
    ) {
      (self.range, self.count) = (range, count)
      (self.predicted, self.observed, self.low, self.high) = (predicted, observed, low, high)
    }
  }

  /// The bins, ascending.
  public var bins: [Bin]
  /// The title of the horizontal axis.
  public var predictedTitle: String
  /// The title of the vertical axis.
  public var observedTitle: String
  /// The counted things, named below the axis.
  public var countTitle: String

  /// Creates the diagram of one source of predictions.
  public init(
    _ bins: [Bin], predictedTitle: String = "predicted probability",
    observedTitle: String = "observed rate", countTitle: String = "predictions"
  ) {
    (self.bins, self.predictedTitle) = (bins, predictedTitle)
    (self.observedTitle, self.countTitle) = (observedTitle, countTitle)
  }

  private static let unit = PlotScale.linear([0, 1], ticks: 6)
  /// Room for the labels of counts, so that both axes stand below one another.
  private static let left = 42.0

  /// Returns the panel.
  func drawing(in panel: PlotPanel, width: Double) -> PanelDrawing {
    let bins = self.bins.filter { $0.predicted.isFinite && $0.observed.isFinite }
    let frame = PlotFrame(
      x: Self.unit, y: Self.unit, xTitle: "", yTitle: observedTitle, width: width, height: 180,
      leastLeft: Self.left)
    guard !bins.isEmpty else {
      let reason = self.bins.isEmpty ? panel.emptyReason : "no bin has a finite rate"
      return PanelDrawing(panel, width: width, saying: reason, in: frame)
    }
    let counts = counts(bins, width: width)
    let markup = frame.axes + curve(bins, frame) + counts.markup.moved(x: 0, y: frame.totalHeight)
    return PanelDrawing(
      panel, width: width, content: (markup, frame.totalHeight + counts.height))
  }

  private func curve(_ bins: [Bin], _ frame: PlotFrame) -> Markup {
    let diagonal = Marks.line(
      frame.across(0), frame.down(0), frame.across(1), frame.down(1), "bp-reference")
    var (path, whiskers, dots) = (PathData(), Markup.none, Markup.none)
    path.lines(bins.map { (frame.across($0.predicted), frame.down($0.observed)) })
    for bin in bins {
      let x = frame.across(bin.predicted)
      if let low = bin.low, let high = bin.high, low.isFinite, high.isFinite {
        whiskers += Marks.verticalInterval(x: x, low: frame.down(low), high: frame.down(high))
      }
      dots += Marks.dot(x, frame.down(bin.observed), radius: 3.2, values: values(bin))
    }
    let line = Marks.path(path, "bp-line", [Markup.Attribute("stroke-width", 1.2)])
    return diagonal + Markup.group([SeriesStyle(0).color], whiskers + line + dots)
  }

  private func values(_ bin: Bin) -> Marks.Values {
    let text = { (value: Double) in PlotNumber.text(value, digits: 4) }
    var interval = ""
    if let low = bin.low, let high = bin.high { interval = " (\(text(low)) to \(text(high)))" }
    return Marks.Values(
      tooltip: "\(predictedTitle) \(text(bin.predicted))\n\(observedTitle) \(text(bin.observed))"
        + "\(interval)\n\(bin.count) \(countTitle)",
      data: [
        Markup.Attribute("data-x", text(bin.predicted)),
        Markup.Attribute("data-y", text(bin.observed)),
        Markup.Attribute("data-count", String(bin.count)),
      ])
  }

  /// Returns the bars of the number of predictions of each bin.
  private func counts(_ bins: [Bin], width: Double) -> (markup: Markup, height: Double) {
    let most = bins.map { Double($0.count) }.max() ?? 1
    let frame = PlotFrame(
      x: Self.unit, y: PlotScale.linear([most], includesZero: true, ticks: 4),
      xTitle: predictedTitle, yTitle: countTitle, width: width, height: 44, leastLeft: Self.left)
    var bars = Markup.none
    for bin in bins {
      let (from, to) = (frame.across(bin.range.lowerBound), frame.across(bin.range.upperBound))
      let top = frame.down(Double(bin.count))
      bars += Marks.rectangle(
        from + 0.5, top, max(1, to - from - 1), frame.down(0) - top, values: values(bin))
    }
    let markup = frame.axes + Markup.group([SeriesStyle(0).color], bars)
    return (markup, frame.totalHeight)
  }
}
