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
      let points = panel.rows.compactMap { $0.point(at: $0.number("t"), "regret") }
      let curve = PlotCurves.Curve("regret in hindsight", points, series: 0)
      let best = panel.rows.first?.text("best_variant") ?? ""
      let status = panel.rows.first?.text("status") ?? ""
      return axes.map { axis in
        PlotPanel(
          panel.title, note: best.isEmpty ? "" : "best variant: \(best)",
          .curves(PlotCurves(x: axis, y: y, [curve], joining: .whereDense)),
          emptyReason: status.isEmpty || status == "ok" ? emptyReason : status)
      }
    }
    return figures(
      panels, or: .curves(PlotCurves(x: axes[0], y: y, [])),
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
      let curves = panel.groups(by: "variant").map { group in
        PlotCurves.Curve(
          group.name, group.rows.compactMap { $0.point(at: $0.number("day"), "retention") },
          series: panel.series(of: group.name))
      }
      return PlotPanel(
        panel.title, .curves(PlotCurves(x: x, y: y, curves, joining: .whereDense)),
        emptyReason: "no unit is old enough")
    }
    return figures(
      panels, or: .curves(PlotCurves(x: x, y: y, [])),
      name: "retention", title: "Units that came back",
      description: "The share of the units of each variant that came back the given number of days "
        + "after their first exposure (dots), with a confidence interval by Wilson's method. Days "
        + "that are far apart are joined by dotted lines.")
  }
}
