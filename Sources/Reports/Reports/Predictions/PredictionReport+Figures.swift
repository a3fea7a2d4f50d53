public import Plots
internal import Specifications
internal import Tables

extension PredictionReport {
  public static func figures(of table: FigureTable) -> [Figure] {
    switch table.name {
    case "calibration": reliability(table)
    case "learning_curve": learningCurves(table)
    case "prediction_skill": skill(table)
    default: []
    }
  }

  /// The text of a figure without predictions.
  private static let noPredictions = "no takes were predicted"

  static func reliability(_ table: FigureTable) -> [Figure] {
    let studies = drawn(
      table.panels(except: ["predictor", "bins", "bin"]) { $0.text("bins") == "width" })
    let rates = { (bins: [PlotRates.Bin]) in
      PlotPanel.Marks.rates(
        PlotRates(
          bins, predictedTitle: "confidence of the option predicted",
          observedTitle: "share that was right", countTitle: "takes"))
    }
    let panels = studies.panels.flatMap { panel in
      panel.groups(by: "predictor").map { predictor, rows in
        let bins = rows.compactMap(bin)
        return PlotPanel(
          predictor, note: panel.title + error(bins), rates(bins), emptyReason: noPredictions)
      }
    }
    return Plot(panels, or: rates([]), saying: noPredictions).figures(
      name: "reliability", title: "Reliability of predictions",
      description: "How often the predicted option was taken (dots, with confidence intervals by "
        + "Wilson's method) against the confidence in it, in bins of equal width; the number of takes "
        + "of each bin is below. Below the dashed diagonal a predictor is too sure, above it not sure "
        + "enough. ECE: expected calibration error, the mean distance to the diagonal."
        + studies.omitted)
  }

  /// Returns the expected calibration error and the number of takes in words; empty without takes.
  private static func error(_ bins: [PlotRates.Bin]) -> String {
    let takes = bins.reduce(0) { $0 + $1.count }
    guard takes > 0 else { return "" }
    let error = bins.reduce(0) { $0 + abs($1.observed - $1.predicted) * Double($1.count) }
    let rounded = (error / Double(takes) * 1e3).rounded() / 1e3
    return ": ECE \(NumberText.readable(rounded)), \(takes) takes"
  }

  /// The maximum number of studies and values of the dimension that are drawn.
  private static let mostStudies = 24

  /// Returns the studies with the most takes, and a sentence about the others if there are any.
  private static func drawn(
    _ studies: [FigurePanel]
  ) -> (panels: [FigurePanel], omitted: String) {
    guard studies.count > mostStudies else { return (studies, "") }
    let takes = studies.map { $0.rows.reduce(0) { $0 + ($1.number("events") ?? 0) } }
    let order = studies.indices.sorted { (-takes[$0], $0) < (-takes[$1], $1) }
    return (
      order.prefix(mostStudies).sorted().map { studies[$0] },
      " \(studies.count - mostStudies) more studies, with fewer takes, are not drawn."
    )
  }

  private static func bin(_ row: FigureRow) -> PlotRates.Bin? {
    guard let low = row.number("low"), let high = row.number("high"), low <= high,
      let count = row.number("events"), count > 0, let confidence = row.number("confidence"),
      let rate = row.number("hit_rate")
    else { return nil }
    return PlotRates.Bin(
      low...high, count: Int(count), predicted: confidence, observed: rate,
      low: row.number("ci_low"), high: row.number("ci_high"))
  }

  /// The minimum number of takes of a point on a learning curve, unless no point has as many.
  private static let leastTakes = 20.0

  static func learningCurves(_ table: FigureTable) -> [Figure] {
    let x = PlotAxis("take of the unit in the study", spacing: .logarithmic)
    let measures = [
      ("hit_rate", PlotAxis("hit rate", unit: .percent, includesZero: true)),
      ("log_loss", PlotAxis("log loss, nats", spacing: .logarithmic)),
    ]
    let studies = drawn(
      table.panels(except: ["predictor", "along", "takes_from", "time_from"]) {
        $0.text("along") == "history"
      })
    let panels = studies.panels.flatMap { panel in
      measures.map { column, y in
        let curves = panel.groups(by: "predictor").enumerated().map { series, group in
          PlotCurves.Curve(group.name, points(group.rows, column), series: series)
        }
        return PlotPanel(
          panel.title, .curves(PlotCurves(x: x, y: y, curves)), emptyReason: noPredictions)
      }
    }
    return Plot(panels, or: .curves(PlotCurves(x: x, y: measures[0].1, [])), saying: noPredictions).figures(
      name: "learning_curve", title: "Learning curves",
      description: "Hit rate and log loss of each predictor by the number of takes of the unit so "
        + "far, which has a logarithmic axis. Points with fewer than 20 takes are left out where there "
        + "are others. A lower log loss is better.\(studies.omitted)")
  }

  private static func points(_ rows: [FigureRow], _ column: String) -> [PlotCurves.Point] {
    let most = rows.compactMap { $0.number("events") }.max() ?? 0
    let least = max(1, min(leastTakes, most))
    return rows.compactMap { row in
      guard let from = row.number("takes_from"), let value = row.number(column),
        row.number("events") ?? 0 >= least
      else { return nil }
      let to = row.number("takes_to") ?? from
      // One is added so that the first take has a place on the logarithmic axis.
      return PlotCurves.Point(x: from + (to - from) / 2 + 1, y: value)
    }.sorted { $0.x < $1.x }
  }

  private static func skill(_ table: FigureTable) -> [Figure] {
    let axis = PlotAxis("log loss saved against the baseline", unit: .percent)
    let panels = table.panels(except: ["predictor", "baseline"]).flatMap { panel in
      panel.groups(by: "baseline").map { baseline, rows in
        let rows = FigurePanel(title: "", rows: rows).groups(by: "predictor").flatMap {
          name, rows in
          rows.map { row in
            PlotRows.Row(
              name, value: row.number("log_loss_skill"),
              low: row.number("log_loss_skill_ci_low"),
              high: row.number("log_loss_skill_ci_high"))
          }
        }
        return PlotPanel(
          panel.title, note: "baseline: \(baseline)",
          .rows(PlotRows(axis, rows, reference: 0, referenceName: "no better")))
      }
    }
    return Plot(panels, or: .rows(PlotRows(axis, []))).figures(
      name: "prediction_skill", title: "Skill of predictors",
      description: "By how much the log loss of each predictor is below that of the baseline, in "
        + "percent of it (dot), with its confidence interval (line).")
  }
}
