internal import Tables

/// Learning curves as SVG: for each study how often predictions were right and what log loss they had, by how many
/// takes of its unit came before, a line for each predictor.
public struct LearningPlot: Sendable {
  /// A group of takes that had about as many before them.
  public struct Point: Sendable {
    /// How many takes of the unit came before: the mean, or the middle of the group.
    public var earlier: Double
    /// The share of predictions that were right.
    public var hitRate: Double
    /// The mean log loss, in nats.
    public var logLoss: Double

    /// Makes a point.
    public init(earlier: Double, hitRate: Double, logLoss: Double) {
      self.earlier = earlier
      self.hitRate = hitRate
      self.logLoss = logLoss
    }
  }

  /// What is drawn of a predictor in a study.
  public struct Curve: Sendable {
    /// The study, with the value of the dimension if there is one.
    public var study: String
    /// The predictor.
    public var predictor: String
    /// The points, by earlier takes, ascending.
    public var points: [Point]

    /// Makes a curve.
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

  /// A plot of some curves; those of a study stand together, in the order given.
  ///
  /// - Parameters:
  ///   - curves: What is drawn.
  ///   - omitted: How many studies there are beside these, which a line at the end tells.
  public init(_ curves: [Curve], omitted: Int = 0) {
    self.omitted = omitted
    studies = curves.inRuns(of: \.study)
  }

  /// The text of the file.
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
    // One is added, so that the first take has its place on the logarithmic axis.
    let most = max(10, (points.map(\.earlier).max() ?? 0) + 1)
    let x = PlotScale(logarithmic: 1...most)
    let rates = PlotPanel(
      x: x, y: PlotScale(upTo: 1), width: panel.width, height: panel.height)
    // A predictor that is sure and wrong loses up to 34.5 nats, where others lose one.
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

  /// From a little below the least log loss to the greatest one, but not from 0, which has no logarithm.
  private static func lossRange(_ losses: [Double]) -> ClosedRange<Double> {
    let low = max(1e-3, (losses.min() ?? 0.1) * 0.8)
    return low...max(losses.max() ?? 10, low * 4)
  }
}
