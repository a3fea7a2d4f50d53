internal import OffPolicy
public import Plots
internal import Specifications
internal import Tables

extension EvaluationReport {
  public static let notebookCode: String? = NotebookCode.intervals(
    "evaluation", "value", of: "policy", "estimator")

  public static func figures(of table: FigureTable) -> [Figure] {
    switch table.name {
    case "evaluation": estimates(table)
    case "versus": differences(table)
    case "weights": weights(table)
    case "time": values(table)
    default: []
    }
  }

  /// Returns the forest plot of the estimates of policies.
  ///
  /// - Parameters:
  ///   - table: The values of the policies.
  ///   - truths: By experiment a known value, drawn as a dashed line.
  /// - Returns: The figures.
  static func estimates(_ table: FigureTable, truths: [String: Double] = [:]) -> [Figure] {
    let axis = PlotAxis("mean reward of a decision")
    let keys: Set = ["policy", "estimator", "interval"]
    let panels = table.panels(except: keys).map { panel in
      let estimators = panel.names("estimator")
      let methods = panel.names("interval")
      let truth = truths[panel.rows.first?.text("experiment") ?? ""]
      let rows = panel.groups(by: "policy").flatMap { policy, rows in
        rows.map { row in
          let estimator = row.text("estimator")
          let verdict = row.text("verdict")
          return PlotRows.Row(
            estimator + (methods.count > 1 ? " · \(row.text("interval"))" : ""),
            group: verdict.isEmpty ? policy : "\(policy): \(verdict)",
            value: row.number("value"), low: row.number("ci_low"), high: row.number("ci_high"),
            series: estimators.firstIndex(of: estimator) ?? 0)
        }
      }
      return PlotPanel(
        panel.title, .rows(PlotRows(axis, rows, reference: truth, referenceName: "truth")))
    }
    return Plot(panels, or: .rows(PlotRows(axis, [])), saying: noDecisions).figures(
      name: "evaluation", title: "Estimated values of policies",
      description:
        "What each policy would have earned by each estimator (dot), with its confidence "
        + "interval (line). The word after a policy says whether the log can answer: answers, weak or "
        + "cannot-answer. Estimators that disagree are a warning.")
  }

  private static let noDecisions = "no decisions were evaluated"

  private static func differences(_ table: FigureTable) -> [Figure] {
    let axis = PlotAxis("difference of the mean reward of a decision")
    let panels = table.panels(except: ["policy", "estimator"]).map { panel in
      let estimators = panel.names("estimator")
      let rows = panel.groups(by: "policy").flatMap { policy, rows in
        rows.map { row in
          PlotRows.Row(
            row.text("estimator"), group: policy, value: row.number("difference"),
            low: row.number("ci_low"), high: row.number("ci_high"),
            series: estimators.firstIndex(of: row.text("estimator")) ?? 0)
        }
      }
      return PlotPanel(
        panel.title, .rows(PlotRows(axis, rows, reference: 0, referenceName: "no difference")))
    }
    return Plot(panels, or: .rows(PlotRows(axis, [])), saying: noDecisions).figures(
      name: "versus", title: "Differences between policies",
      description:
        "By how much each policy would have earned more than the one that it is compared "
        + "with (dot), with its confidence interval (line).")
  }

  /// The most groups of a histogram of weights; smaller weights are drawn together.
  private static let mostBins = 24

  static func weights(_ table: FigureTable) -> [Figure] {
    let histogram = { (rows: [FigureRow]) in
      PlotPanel.Marks.histogram(
        PlotHistogram(
          bins(rows), series: ["share of the decisions", "share of the weight"],
          binTitle: "importance weight from",
          y: PlotAxis("share", unit: .percent, includesZero: true)))
    }
    let panels = table.panels(except: ["low"]).map { panel in
      let count = panel.rows.reduce(0) { $0 + ($1.number("decisions") ?? 0) }
      return PlotPanel(
        panel.title, note: "\(NumberText.readable(count)) decisions", histogram(panel.rows),
        emptyReason: noDecisions)
    }
    return Plot(panels, or: histogram([]), saying: noDecisions).figures(
      name: "weights", title: "Importance weights",
      description:
        "The importance weights of the decisions under each policy, from one power of two "
        + "to the next: their share of the decisions, and of all weight. Where few decisions have "
        + "most of the weight, an estimate rests on these few.")
  }

  /// Returns a group for every power of two from the least weight to the greatest, and that of zero before them.
  private static func bins(_ rows: [FigureRow]) -> [PlotHistogram.Bin] {
    let groups = rows.compactMap { row in
      row.number("low").map { low in
        (low: low, heights: [row.number("share") ?? 0, row.number("weight_share") ?? 0])
      }
    }.sorted { $0.low < $1.low }
    var bins = groups.filter { $0.low == 0 }.map { PlotHistogram.Bin("0", heights: $0.heights) }
    let positive = groups.filter { $0.low > 0 }
    guard let last = positive.last?.low, let first = positive.first?.low else { return bins }
    // What is smaller than the first of the groups that have room joins it.
    var start = last
    for _ in 1..<mostBins where start > first { start /= 2 }
    var low = start
    while low <= last {
      let own = positive.filter { $0.low == low || low == start && $0.low < low }
      let heights = [0, 1].map { place in own.reduce(0) { $0 + $1.heights[place] } }
      bins.append(PlotHistogram.Bin(NumberText.readable(low), heights: heights))
      low *= 2
    }
    return bins
  }

  static func values(_ table: FigureTable) -> [Figure] {
    let timeTitle = "start of the period (\(table.timeZone))"
    let panels = table.panels(except: ["policy", "estimator", "start"]).map { panel in
      // The first estimator that has values: others would hide one another.
      let estimator = panel.rows.first { $0.number("value") != nil }?.text("estimator") ?? ""
      let rows = panel.rows.filter { $0.text("estimator") == estimator }
      let own = FigurePanel(title: panel.title, rows: rows)
      let curves = own.groups(by: "policy").enumerated().map { series, group in
        PlotCurves.Curve(
          group.name, group.rows.compactMap { $0.point(at: $0.time("start"), "value") },
          series: series)
      }
      let axis = PlotAxis(estimator.isEmpty ? "value" : "value by \(estimator)")
      return PlotPanel(
        panel.title, .curves(PlotCurves(over: timeTitle, y: axis, curves)),
        emptyReason: noDecisions)
    }
    return Plot(
      panels, or: .curves(PlotCurves(over: timeTitle, y: PlotAxis("value"), [])),
      saying: noDecisions
    ).figures(
      name: "value_over_time", title: "Values over time",
      description: "What each policy would have earned in each period (dots), with a confidence "
        + "interval for each period (band).")
  }
}
