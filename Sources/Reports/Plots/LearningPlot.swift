internal import Plots

/// Learning curves as SVG: hit rate and log loss of each study by the number of earlier takes of the unit, with a
/// line for each predictor.
public struct LearningPlot: Sendable {
  /// A group of takes with a similar number of earlier takes.
  public struct Point: Sendable {
    /// The number of earlier takes of the unit: the mean, or the middle of the group.
    public var earlier: Double
    /// The share of correct predictions.
    public var hitRate: Double
    /// The mean log loss, in nats.
    public var logLoss: Double

    /// Creates a point.
    public init(earlier: Double, hitRate: Double, logLoss: Double) {
      self.earlier = earlier
      self.hitRate = hitRate
      self.logLoss = logLoss
    }
  }

  /// The learning curve of a predictor in a study.
  public struct Curve: Sendable {
    /// The study, with the value of the dimension if there is one.
    public var study: String
    /// The predictor.
    public var predictor: String
    /// The points, ascending by earlier takes.
    public var points: [Point]

    /// Creates a curve.
    public init(study: String, predictor: String, points: [Point]) {
      self.study = study
      self.predictor = predictor
      self.points = points
    }
  }

  private let omitted: Int
  private let studies: [(name: String, parts: [Curve])]

  private static let panel = (width: 350.0, height: 230.0)
  private static let left = 70.0
  private static let top = 50.0
  private static let bottom = 56.0
  private static let keyHeight = 17.0

  /// Creates a plot of curves. Curves of the same study are expected to be adjacent.
  ///
  /// - Parameters:
  ///   - curves: The curves, in the order in which they are drawn.
  ///   - omitted: The number of further studies that are not drawn, stated in a line at the end.
  public init(_ curves: [Curve], omitted: Int = 0) {
    self.omitted = omitted
    studies = curves.inRuns(of: \.study)
  }

  /// The SVG text of the plot.
  public var svg: String {
    var text = ""
    var y = 0.0
    for (name, curves) in studies {
      text += SVG.group(x: Self.left, y: y + Self.top, Self.draw(name, curves))
      let keys = Double(curves.count) * Self.keyHeight + 10
      y += Self.top + max(Self.panel.height, keys) + Self.bottom
    }
    let remark =
      studies.isEmpty
      ? "no takes were predicted" : omitted > 0 ? "and \(omitted) more, with fewer takes" : nil
    if let remark {
      text += SVG.label(remark, x: Self.left, y: y + 26, anchor: "start")
      y += 40
    }
    return SVG.document(
      width: 2 * (Self.left + Self.panel.width) + 310, height: y, title: "Learning curves", text)
  }

  private static func draw(_ name: String, _ curves: [Curve]) -> String {
    let points = curves.flatMap(\.points)
    // One is added so that the first take has a place on the logarithmic axis.
    let most = max(10, (points.map(\.earlier).max() ?? 0) + 1)
    let x = PlotScale(logarithmic: 1...most)
    let rates = PlotPanel(
      x: x, y: PlotScale(upTo: 1), width: panel.width, height: panel.height)
    // A confident wrong prediction costs up to 34.5 nats, where others cost about one.
    let range = lossRange(points.map(\.logLoss))
    let losses = PlotPanel(
      x: x, y: PlotScale(logarithmic: range, factors: [1, 2, 5]), width: panel.width,
      height: panel.height)
    var text = SVG.label(name, x: 0, y: -20, anchor: "start", weight: "bold")
    var second = ""
    text += rates.axes(x: "take of the unit in the study", y: "hit rate")
    second += losses.axes(x: "take of the unit in the study", y: "log loss, nats")
    for (index, curve) in curves.enumerated() {
      let style = PlotStyle.stroke(index)
      text += rates.line(curve.points.map { ($0.earlier + 1, $0.hitRate) }, style)
      second += losses.line(
        curve.points.map { ($0.earlier + 1, max($0.logLoss, range.lowerBound)) }, style)
      second += losses.key(curve.predictor, index, style, characters: 35)
    }
    return text + SVG.group(x: panel.width + left, y: 0, second)
  }

  /// Returns the range of losses, from a little below the least to the greatest, excluding 0, which has no logarithm.
  private static func lossRange(_ losses: [Double]) -> ClosedRange<Double> {
    let low = max(1e-3, (losses.min() ?? 0.1) * 0.8)
    return low...max(losses.max() ?? 10, low * 4)
  }
}
