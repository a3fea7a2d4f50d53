internal import Plots
internal import Tables

/// A forest plot as SVG: the estimates of each policy with their intervals, on a common scale for each experiment.
public struct ForestPlot: Sendable {
  /// An estimate with an interval.
  public struct Row: Sendable {
    /// The experiment.
    public var experiment: String
    /// The policy, with its verdict.
    public var policy: String
    /// The estimator, with the method of the interval if there are several.
    public var name: String
    /// The estimate; nil without any.
    public var value: Double?
    /// The interval; nil without any.
    public var interval: ClosedRange<Double>?
    /// The color's index: the same for the same estimator.
    public var color: Int

    /// Creates a row.
    public init(
      experiment: String, policy: String, name: String, value: Double?,
      interval: ClosedRange<Double>?, color: Int
    ) {
      self.experiment = experiment
      self.policy = policy
      self.name = name
      self.value = value
      self.interval = interval
      self.color = color
    }
  }

  private let experiments: [(name: String, parts: [Row])]
  private let references: [String: Double]

  private static let left = 250.0
  private static let width = 440.0
  private static let rowHeight = 19.0
  private static let headingHeight = 30.0

  /// Creates a plot of rows. Rows of the same experiment, and of the same policy in it, are expected to be adjacent.
  ///
  /// - Parameters:
  ///   - rows: The rows, in the order in which they are drawn.
  ///   - references: By experiment a known value, drawn as a dashed line.
  public init(_ rows: [Row], references: [String: Double] = [:]) {
    experiments = rows.inRuns(of: \.experiment)
    self.references = references
  }

  /// The SVG text of the plot.
  public var svg: String {
    var text = ""
    var y = 0.0
    for (name, rows) in experiments {
      let drawn = draw(name, rows)
      text += SVG.group(x: Self.left, y: y + 44, drawn.text)
      text += SVG.label(name, x: 16, y: y + 26, anchor: "start", weight: "bold")
      y += 44 + drawn.height + 58
    }
    if experiments.isEmpty {
      text += SVG.label("no decisions were evaluated", x: 16, y: 26, anchor: "start")
      y = 40
    }
    return SVG.document(
      width: Self.left + Self.width + 110, height: y, title: "Estimated values of policies", text)
  }

  private func draw(_ experiment: String, _ rows: [Row]) -> (text: String, height: Double) {
    let reference = references[experiment]
    let numbers: [Double] = rows.flatMap { row in
      [row.value, row.interval?.lowerBound, row.interval?.upperBound].compactMap(\.self)
    }
    let known = reference.map { [$0] } ?? []
    let scale = PlotScale(spanning: numbers + known)
    let policies = rows.inRuns(of: \.policy)
    let height =
      Double(policies.count) * Self.headingHeight + Double(rows.count) * Self.rowHeight + 6
    var text = Self.axis(scale, height)
    if let reference {
      let x = scale.position(reference) * Self.width
      text += SVG.line(x, 0, x, height, "stroke=\"#000\" stroke-dasharray=\"5 3\"")
      text += SVG.label("truth", x: x, y: -6, anchor: "middle")
    }
    var y = 0.0
    for (policy, rows) in policies {
      text += SVG.label(policy, x: 16 - Self.left, y: y + 20, characters: 100)
      y += Self.headingHeight
      for row in rows {
        text += Self.draw(row, scale, y + Self.rowHeight / 2)
        y += Self.rowHeight
      }
    }
    return (text, height)
  }

  private static func axis(_ scale: PlotScale, _ height: Double) -> String {
    var text = ""
    for tick in scale.ticks {
      let x = scale.position(tick) * width
      text += SVG.line(x, 0, x, height, "stroke=\"#ddd\"")
      text += SVG.label(scale.text(tick), x: x, y: height + 18, anchor: "middle")
    }
    text += SVG.line(0, height, width, height, "stroke=\"#333\"")
    return text
      + SVG.label("mean reward of a decision", x: width / 2, y: height + 38, anchor: "middle")
  }

  private static func draw(_ row: Row, _ scale: PlotScale, _ y: Double) -> String {
    let color = PlotStyle.colour(row.color)
    var text = SVG.label(row.name, x: 32 - left, y: y + 4, characters: 32)
    if let interval = row.interval {
      let (low, high) = (
        scale.position(interval.lowerBound) * width, scale.position(interval.upperBound) * width
      )
      text += SVG.line(low, y, high, y, "stroke=\"\(color)\" stroke-width=\"2\"")
      for x in [low, high] {
        text += SVG.line(x, y - 4, x, y + 4, "stroke=\"\(color)\" stroke-width=\"2\"")
      }
    }
    guard let value = row.value else {
      return text + SVG.label("no estimate", x: 4, y: y + 4, anchor: "start", weight: "300")
    }
    let x = scale.position(value) * width
    text +=
      "<circle cx=\"\(SVG.number(x))\" cy=\"\(SVG.number(y))\" r=\"4\" fill=\"\(color)\"/>\n"
    return text
      + SVG.label(ReadableDecimal.text(value), x: width + 12, y: y + 4, anchor: "start")
  }
}
