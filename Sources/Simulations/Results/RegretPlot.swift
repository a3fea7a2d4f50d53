internal import Bandits
internal import Plots
internal import Statistics

/// Regret curves as SVG: a panel for each environment, with a curve for each policy, a band from the 0.05 to the 0.95
/// quantile of the runs, and the Lai–Robbins line where there is one.
public struct RegretPlot {
  private let tables: SimulationTables
  private let width = 760.0
  private let panelHeight = 360.0
  private let left = 70.0
  private let right = 220.0
  private let top = 46.0
  private let bottom = 48.0

  /// Creates a plot of tables.
  public init(_ tables: SimulationTables) { self.tables = tables }

  /// The SVG text of the plot.
  public var svg: String {
    let plan = tables.plan
    var text = ""
    for (place, environment) in tables.prepared.environments.enumerated() {
      let curves = plan.policies.indices.map { curve(place * plan.policies.count + $0, $0) }
      text += SVG.group(
        x: left, y: panelHeight * Double(place) + top, panel(environment, curves))
    }
    let height = panelHeight * Double(tables.prepared.environments.count)
    return SVG.document(width: width, height: height, text)
  }

  private func curve(_ pair: Int, _ index: Int) -> RegretCurvePoints {
    let outcomes = tables.store.outcomes(of: pair)
    let points = tables.plan.steps.enumerated().compactMap { place, step in
      OutcomeSummary(outcomes, at: place, step: step).regret.map {
        (x: Double(step), mean: $0.mean, low: $0.low, high: $0.high)
      }
    }
    return RegretCurvePoints(name: tables.plan.policies[index], points: points)
  }

  private func panel(_ environment: any Environment, _ curves: [RegretCurvePoints]) -> String {
    let values = curves.flatMap { $0.points.flatMap { [$0.low, $0.high, $0.mean] } }
    let panel = PlotPanel(
      x: steps, y: PlotScale(around: values), width: width - left - right,
      height: panelHeight - top - bottom)
    var text = SVG.label(
      environment.specification.description, x: 0, y: -18, anchor: "start", weight: "bold")
    text += panel.axes(x: "decisions", y: "pseudo-regret")
    for (index, curve) in curves.enumerated() {
      text += panel.band(
        curve.points.map { ($0.x, $0.low, $0.high) }, colour: PlotStyle.colour(index))
    }
    if let constant = environment.arms.flatMap(LaiRobbins.constant), constant > 0 {
      text += panel.line(
        tables.plan.steps.map { (Double($0), constant * Double.log(Double($0))) },
        PlotStyle.reference)
      text += panel.key("Lai–Robbins bound", curves.count, PlotStyle.reference)
    }
    for (index, curve) in curves.enumerated() {
      text += panel.line(curve.points.map { ($0.x, $0.mean) }, PlotStyle.stroke(index))
      text += panel.key(curve.name, index, PlotStyle.stroke(index))
    }
    return text
  }

  /// The horizontal scale of the checkpoints.
  private var steps: PlotScale {
    let first = Double(tables.plan.steps.first ?? 1)
    let last = max(Double(tables.plan.steps.last ?? 1), first + 1)
    return isLogarithmic ? PlotScale(logarithmic: first...last) : PlotScale(upTo: last)
  }

  private var isLogarithmic: Bool {
    if case .linear = tables.plan.rules.checkpoints { return false }
    return tables.plan.steps.count > 1
  }
}

/// The points of one curve.
private struct RegretCurvePoints {
  let name: String
  let points: [(x: Double, mean: Double, low: Double, high: Double)]
}
