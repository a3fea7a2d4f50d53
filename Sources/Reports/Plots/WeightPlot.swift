internal import Plots
internal import Tables

/// Histograms of importance weights as SVG: for each policy the share of the decisions, and that of all weight, by the
/// size of the weight in powers of two.
public struct WeightPlot: Sendable {
  /// The weights from one power of two to the next, or those that are zero.
  public struct Bar: Sendable {
    /// The smallest weight: a power of two, or 0.
    public var low: Double
    /// The share of the decisions.
    public var decisions: Double
    /// The share of all weight.
    public var weight: Double

    /// Creates a bar.
    public init(low: Double, decisions: Double, weight: Double) {
      self.low = low
      self.decisions = decisions
      self.weight = weight
    }
  }

  /// The histogram of a policy.
  public struct Histogram: Sendable {
    /// The policy, with the experiment if there are several.
    public var title: String
    /// A remark of a few words.
    public var remark: String
    /// The bars, ascending.
    public var bars: [Bar]

    /// Creates a histogram.
    public init(title: String, remark: String, bars: [Bar]) {
      self.title = title
      self.remark = remark
      self.bars = bars
    }
  }

  private let histograms: [Histogram]

  private static let panel = (width: 350.0, height: 180.0)
  private static let cell = (width: 450.0, height: 300.0)
  private static let inRow = 2
  private static let top = 24.0
  /// The most groups of a histogram; smaller weights are drawn together.
  private static let mostBars = 24

  /// Creates a plot of histograms.
  public init(_ histograms: [Histogram]) { self.histograms = histograms }

  /// The SVG text of the plot.
  public var svg: String {
    var text = ""
    for (index, histogram) in histograms.enumerated() {
      text += SVG.group(
        x: Double(index % Self.inRow) * Self.cell.width + 66,
        y: Double(index / Self.inRow) * Self.cell.height + Self.top + 60, Self.draw(histogram))
    }
    let rows = max(1, (histograms.count + Self.inRow - 1) / Self.inRow)
    if histograms.isEmpty {
      text += SVG.label("no decisions were evaluated", x: 16, y: 26, anchor: "start")
    }
    return SVG.document(
      width: Double(max(1, min(Self.inRow, histograms.count))) * Self.cell.width + 10,
      height: Self.top + Double(rows) * Self.cell.height, title: "Importance weights",
      (histograms.isEmpty ? "" : Self.key) + text)
  }

  private static func draw(_ histogram: Histogram) -> String {
    var text = SVG.label(histogram.title, x: 0, y: -34, characters: 56)
    text += SVG.label(histogram.remark, x: 0, y: -18, anchor: "start", weight: "300")
    let slots = slots(histogram.bars)
    let most = slots.flatMap { [$0.decisions, $0.weight] }.max() ?? 1
    let y = PlotScale(around: [most], parts: 4)
    for tick in y.ticks {
      let height = (1 - y.position(tick)) * panel.height
      text += SVG.line(0, height, panel.width, height, "stroke=\"#ddd\"")
      text += SVG.label(y.text(tick), x: -8, y: height + 4, anchor: "end")
    }
    let step = min(60, panel.width / Double(max(1, slots.count)))
    let every = (slots.count + 7) / 8
    for (index, slot) in slots.enumerated() {
      let x = Double(index) * step
      text += bar(x + step * 0.1, y.position(slot.decisions), step * 0.38, 0)
      text += bar(x + step * 0.5, y.position(slot.weight), step * 0.38, 1)
      guard index % max(1, every) == 0 else { continue }
      text += SVG.label(
        ReadableDecimal.text(slot.low), x: x + step / 2, y: panel.height + 18, anchor: "middle")
    }
    text += SVG.line(0, panel.height, panel.width, panel.height, "stroke=\"#333\"")
    text += SVG.label(
      "weight, from this power of two to the next", x: panel.width / 2, y: panel.height + 38,
      anchor: "middle")
    return text
  }

  /// The legend, above all histograms.
  private static var key: String {
    var text = ""
    for (index, name) in ["share of the decisions", "share of the weight"].enumerated() {
      let x = Double(index) * 180 + 66
      text += SVG.label(name, x: x + 18, y: 22, anchor: "start")
      text +=
        "<rect x=\"\(SVG.number(x))\" y=\"12\" width=\"12\" height=\"12\" fill=\"\(PlotStyle.colour(index))\"/>\n"
    }
    return text
  }

  private static func bar(_ x: Double, _ share: Double, _ width: Double, _ color: Int) -> String {
    let height = share * panel.height
    return
      "<rect x=\"\(SVG.number(x))\" y=\"\(SVG.number(panel.height - height))\" width=\"\(SVG.number(width))\" "
      + "height=\"\(SVG.number(height))\" fill=\"\(PlotStyle.colour(color))\"/>\n"
  }

  /// Returns a bar for every power of two between the smallest and the greatest one, and that of zero before them.
  private static func slots(_ bars: [Bar]) -> [Bar] {
    let positive = bars.filter { $0.low > 0 }
    var slots = bars.filter { $0.low == 0 }
    guard let last = positive.last?.low, let first = positive.first?.low else { return slots }
    // What is smaller than the first of the bars that have room joins it.
    var start = last
    for _ in 1..<mostBars where start > first { start /= 2 }
    var low = start
    while low <= last {
      let own = positive.filter { $0.low == low || low == start && $0.low < low }
      slots.append(
        Bar(
          low: low, decisions: own.reduce(0) { $0 + $1.decisions },
          weight: own.reduce(0) { $0 + $1.weight }))
      low *= 2
    }
    return slots
  }
}
