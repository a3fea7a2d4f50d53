internal import Plots

/// The values of policies over time as SVG: a panel for each experiment, with a line and a band for each policy.
public struct ValuePlot: Sendable {
  /// The value in a period.
  public struct Point: Sendable {
    /// The position in time, in periods.
    public var position: Double
    /// The start of the period as text.
    public var start: String
    /// The value.
    public var value: Double
    /// The interval of the value; nil without any.
    public var interval: ClosedRange<Double>?

    /// Creates a point.
    public init(position: Double, start: String, value: Double, interval: ClosedRange<Double>?) {
      self.position = position
      self.start = start
      self.value = value
      self.interval = interval
    }
  }

  /// The values of a policy.
  public struct Curve: Sendable {
    /// The experiment.
    public var experiment: String
    /// The policy.
    public var policy: String
    /// The points, ascending in time.
    public var points: [Point]

    /// Creates a curve.
    public init(experiment: String, policy: String, points: [Point]) {
      self.experiment = experiment
      self.policy = policy
      self.points = points
    }
  }

  private let title: String
  private let experiments: [(name: String, parts: [Curve])]

  private static let panel = (width: 560.0, height: 240.0)
  private static let left = 76.0
  private static let top = 50.0
  private static let bottom = 60.0

  /// Creates a plot of curves. Curves of the same experiment are expected to be adjacent.
  ///
  /// - Parameters:
  ///   - curves: The curves, in the order in which they are drawn.
  ///   - title: The title of the vertical axis.
  public init(_ curves: [Curve], title: String) {
    self.title = title
    experiments = curves.inRuns(of: \.experiment)
  }

  /// The SVG text of the plot.
  public var svg: String {
    var text = ""
    var y = 0.0
    for (name, curves) in experiments {
      text += SVG.group(x: Self.left, y: y + Self.top, draw(name, curves))
      y +=
        Self.top + max(Self.panel.height, Double(curves.count) * 17 + 10) + Self.bottom
    }
    if experiments.isEmpty {
      text += SVG.label("no decisions were evaluated", x: 16, y: 26, anchor: "start")
      y = 40
    }
    return SVG.document(
      width: Self.left + Self.panel.width + 300, height: y, title: "Values over time", text)
  }

  private func draw(_ name: String, _ curves: [Curve]) -> String {
    let points = curves.flatMap(\.points)
    let positions = points.map(\.position)
    let (first, last) = (positions.min() ?? 0, positions.max() ?? 1)
    func place(_ position: Double) -> Double { (position - first + 0.5) / (last - first + 1) }
    let panel = PlotPanel(
      x: PlotScale(upTo: 1), y: PlotScale(spanning: Self.values(points)), width: Self.panel.width,
      height: Self.panel.height)
    var text = SVG.label(name, x: 0, y: -20, anchor: "start", weight: "bold")
    text += Self.axes(panel, title, points, place)
    for (index, curve) in curves.enumerated() {
      let style = PlotStyle.stroke(index)
      text += panel.band(
        curve.points.compactMap { point in
          point.interval.map { (place(point.position), $0.lowerBound, $0.upperBound) }
        }, colour: PlotStyle.colour(index))
      text += panel.line(curve.points.map { (place($0.position), $0.value) }, style)
      for point in curve.points {
        let spot = panel.place(place(point.position), point.value)
        text +=
          "<circle cx=\"\(SVG.number(spot.x))\" cy=\"\(SVG.number(spot.y))\" r=\"2.5\" "
          + "fill=\"\(PlotStyle.colour(index))\"/>\n"
      }
      text += panel.key(curve.policy, index, style, characters: 34)
    }
    return text
  }

  private static func values(_ points: [Point]) -> [Double] {
    points.flatMap { point in
      [point.value, point.interval?.lowerBound, point.interval?.upperBound].compactMap(\.self)
    }
  }

  /// Returns the axes, with the start of at most six periods below.
  private static func axes(
    _ panel: PlotPanel, _ title: String, _ points: [Point], _ place: (Double) -> Double
  ) -> String {
    var text = ""
    for tick in panel.y.ticks {
      let y = (1 - panel.y.position(tick)) * panel.height
      text += SVG.line(0, y, panel.width, y, "stroke=\"#ddd\"")
      text += SVG.label(panel.y.text(tick), x: -8, y: y + 4, anchor: "end")
    }
    let starts = Dictionary(points.map { ($0.position, $0.start) }) { first, _ in first }
      .sorted { $0.key < $1.key }
    let every = max(1, (starts.count + 4) / 5)
    for (index, start) in starts.enumerated() where index % every == 0 {
      let x = place(start.key) * panel.width
      text += SVG.line(x, panel.height, x, panel.height + 5, "stroke=\"#333\"")
      text += SVG.label(start.value, x: x, y: panel.height + 18, anchor: "middle")
    }
    text +=
      "<path d=\"M0 0V\(SVG.number(panel.height))H\(SVG.number(panel.width))\" fill=\"none\" stroke=\"#333\"/>\n"
    text += SVG.label(
      "start of the period (UTC)", x: panel.width / 2, y: panel.height + 38, anchor: "middle")
    return text
      + "<text transform=\"translate(-60 \(SVG.number(panel.height / 2))) rotate(-90)\" text-anchor=\"middle\">"
      + "\(SVG.escaped(title))</text>\n"
  }
}
