internal import Plots

/// Reliability diagrams as SVG: the observed rate at which the predicted option was taken against the confidence in
/// it, for each predictor of a study, with intervals, the diagonal of perfect calibration, and the number of takes
/// below.
///
/// A. Niculescu-Mizil and R. Caruana, *Predicting good probabilities with supervised learning*, ICML 2005.
public struct ReliabilityPlot: Sendable {
  /// A bin with at least one take.
  public struct Bin: Sendable {
    /// The lower end of the bin's confidences.
    public var low: Double
    /// The upper end of the bin's confidences.
    public var high: Double
    /// The number of takes.
    public var count: Int
    /// The mean confidence.
    public var confidence: Double
    /// The share of takes in which the predicted option was taken.
    public var rate: Double
    /// The confidence interval of ``rate``.
    public var interval: ClosedRange<Double>

    /// Creates a bin.
    public init(
      _ range: ClosedRange<Double>, count: Int, confidence: Double, rate: Double,
      interval: ClosedRange<Double>
    ) {
      low = range.lowerBound
      high = range.upperBound
      self.count = count
      self.confidence = confidence
      self.rate = rate
      self.interval = interval
    }
  }

  /// The reliability diagram of a predictor in a study.
  public struct Diagram: Sendable {
    /// The study, with the value of the dimension if there is one.
    public var study: String
    /// The predictor.
    public var predictor: String
    /// A remark of a few words on the calibration.
    public var remark: String
    /// The bins, ascending.
    public var bins: [Bin]

    /// Creates a diagram.
    public init(study: String, predictor: String, remark: String, bins: [Bin]) {
      self.study = study
      self.predictor = predictor
      self.remark = remark
      self.bins = bins
    }
  }

  private let omitted: Int
  private let studies: [(name: String, parts: [Diagram])]

  private static let side = 190.0
  private static let countHeight = 52.0
  private static let cell = (width: 278.0, height: 366.0)
  private static let left = 66.0
  private static let heading = 34.0
  private static let inRow = 3

  /// Creates a plot of diagrams. Diagrams of the same study are expected to be adjacent.
  ///
  /// - Parameters:
  ///   - diagrams: The diagrams, in the order in which they are drawn.
  ///   - omitted: The number of further studies that are not drawn, stated in a line at the end.
  public init(_ diagrams: [Diagram], omitted: Int = 0) {
    self.omitted = omitted
    studies = diagrams.inRuns(of: \.study)
  }

  /// The SVG text of the plot.
  public var svg: String {
    var text = ""
    var y = 0.0
    for (name, diagrams) in studies {
      text += SVG.label(name, x: Self.left, y: y + 26, anchor: "start", weight: "bold")
      y += Self.heading
      for (index, diagram) in diagrams.enumerated() {
        text += SVG.group(
          x: Double(index % Self.inRow) * Self.cell.width + Self.left,
          y: y + Double(index / Self.inRow) * Self.cell.height + 44,
          Self.draw(diagram, index))
      }
      let rows = (diagrams.count + Self.inRow - 1) / Self.inRow
      y += Double(rows) * Self.cell.height
    }
    let remark =
      studies.isEmpty
      ? "no takes were predicted" : omitted > 0 ? "and \(omitted) more, with fewer takes" : nil
    if let remark {
      text += SVG.label(remark, x: Self.left, y: y + 26, anchor: "start")
      y += 40
    }
    let columns = min(Self.inRow, studies.map(\.parts.count).max() ?? 1)
    return SVG.document(
      width: max(2, Double(columns)) * Self.cell.width + 20, height: y + 4,
      title: "Reliability of predictions", text)
  }

  private static func draw(_ diagram: Diagram, _ index: Int) -> String {
    let unit = PlotScale(upTo: 1)
    let panel = PlotPanel(x: unit, y: unit, width: side, height: side)
    let colour = PlotStyle.colour(index)
    var text = SVG.label(diagram.predictor, x: 0, y: -24, characters: 33)
    text += SVG.label(diagram.remark, x: 0, y: -9, anchor: "start", weight: "300")
    text += panel.axes(x: "", y: "share that was right")
    text += panel.line([(0, 0), (1, 1)], PlotStyle.reference)
    for bin in diagram.bins {
      let (low, high) = (bin.interval.lowerBound, bin.interval.upperBound)
      let (bottom, top) = (panel.place(bin.confidence, low), panel.place(bin.confidence, high))
      text += SVG.line(
        bottom.x, bottom.y, top.x, top.y, "stroke=\"\(colour)\" stroke-opacity=\"0.5\"")
    }
    text += panel.line(diagram.bins.map { ($0.confidence, $0.rate) }, "stroke=\"\(colour)\"")
    for bin in diagram.bins {
      let place = panel.place(bin.confidence, bin.rate)
      text +=
        "<circle cx=\"\(SVG.number(place.x))\" cy=\"\(SVG.number(place.y))\" r=\"3\" fill=\"\(colour)\"/>\n"
    }
    return text + SVG.group(x: 0, y: side + 30, counts(diagram, colour))
  }

  /// Returns a histogram of the takes of each bin.
  private static func counts(_ diagram: Diagram, _ colour: String) -> String {
    let most = diagram.bins.map { Double($0.count) }.max() ?? 1
    let panel = PlotPanel(
      x: PlotScale(upTo: 1), y: PlotScale(around: [most], parts: 2), width: side,
      height: countHeight)
    var text = panel.axes(x: "confidence of the option predicted", y: "takes")
    for bin in diagram.bins {
      let (corner, end) = (panel.place(bin.low, Double(bin.count)), panel.place(bin.high, 0))
      text +=
        "<rect x=\"\(SVG.number(corner.x + 1))\" y=\"\(SVG.number(corner.y))\" "
        + "width=\"\(SVG.number(max(0.5, end.x - corner.x - 2)))\" "
        + "height=\"\(SVG.number(end.y - corner.y))\" fill=\"\(colour)\" fill-opacity=\"0.7\"/>\n"
    }
    return text
  }
}
