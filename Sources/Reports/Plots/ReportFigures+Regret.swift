internal import Plots
internal import Tables

/// Figures with a horizontal axis that counts.
extension ReportFigures {
  static func regret(_ table: Table) -> [Figure] {
    let axes = [
      PlotAxis("decisions", includesZero: true),
      PlotAxis("decisions, logarithmic", spacing: .logarithmic),
    ]
    let y = PlotAxis("regret", includesZero: true)
    let panels = table.panels(except: ["t"]).flatMap { panel in
      let points = panel.rows.compactMap { row -> LineChart.Point? in
        guard let t = row.number("t"), let regret = row.number("regret") else { return nil }
        return LineChart.Point(
          x: t, y: regret, low: row.number("ci_low"), high: row.number("ci_high"))
      }
      let best = panel.rows.first?.text("best_variant") ?? ""
      let status = panel.rows.first?.text("status") ?? ""
      return axes.map { axis in
        LineChart.Panel(
          title: panel.title, note: best.isEmpty ? "" : "best variant: \(best)", x: axis, y: y,
          curves: [LineChart.Curve("regret in hindsight", points, series: 0)],
          emptyReason: status.isEmpty || status == "ok" ? emptyReason : status)
      }
    }
    let empty = LineChart.Panel(title: "", x: axes[0], y: y, curves: [], emptyReason: emptyReason)
    return LineChart(
      panels: panels.isEmpty ? [empty] : panels, joining: .whereDense
    ).figures(
      name: "regret", title: "Regret in hindsight",
      description: "The reward lost against the variant with the greatest mean reward in the whole "
        + "log, added up over the decisions (dots), with its confidence interval (band). Checkpoints "
        + "that are far apart are joined by dotted lines, with the interval drawn at the point: "
        + "between them nothing was computed. A curve that flattens shows a policy that learned.")
  }

  static func retention(_ table: FigureTable) -> [Figure] {
    let x = PlotAxis("days after the first exposure")
    let y = PlotAxis("units that came back", unit: .percent, includesZero: true)
    let panels = table.panels(except: ["variant", "day"]).map { panel in
      LineChart.Panel(
        title: panel.title, x: x, y: y,
        curves: panel.groups(by: "variant").map { group in
          LineChart.Curve(
            group.name,
            group.rows.compactMap { row in
              guard let day = row.number("day"), let share = row.number("retention") else {
                return nil
              }
              return LineChart.Point(
                x: day, y: share, low: row.number("ci_low"), high: row.number("ci_high"))
            }, series: panel.series(of: group.name))
        }, emptyReason: "no unit is old enough")
    }
    let empty = LineChart.Panel(title: "", x: x, y: y, curves: [], emptyReason: emptyReason)
    return LineChart(panels: panels.isEmpty ? [empty] : panels, joining: .whereDense).figures(
      name: "retention", title: "Units that came back",
      description: "The share of the units of each variant that came back the given number of days "
        + "after their first exposure (dots), with a confidence interval by Wilson's method. Days "
        + "that are far apart are joined by dotted lines.")
  }
}
