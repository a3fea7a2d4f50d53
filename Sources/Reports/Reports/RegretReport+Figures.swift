public import Plots
internal import Tables

extension RegretReport {
  public static let notebookCode: String? = """
    draw_lines(of_experiment("regret"), "t", "regret", ["point", "slot"], "ci_low", "ci_high")
    """

  public static func figures(of table: FigureTable) -> [Figure] {
    table.name == "regret" ? growth(table) : byVariant(table)
  }

  private static func growth(_ table: FigureTable) -> [Figure] {
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
          emptyReason: status.isEmpty || status == "ok" ? Plot.emptyReason : status)
      }
    }
    return Plot(panels, or: .curves(PlotCurves(x: axes[0], y: y, []))).figures(
      name: "regret", title: "Regret in hindsight",
      description: "The reward lost against the variant with the greatest mean reward in the whole "
        + "log, added up over the decisions (dots), with its confidence interval (band). Checkpoints "
        + "that are far apart are joined by dotted lines, with the interval drawn at the point: "
        + "between them nothing was computed. A curve that flattens shows a policy that learned.")
  }

  private static func byVariant(_ table: FigureTable) -> [Figure] {
    let axis = PlotAxis("regret")
    let panels = table.panels(except: ["variant"]).map { panel in
      PlotPanel(
        panel.title,
        .bars(panel, axis, "regret") { bar, row in bar.note = "n = \(row.text("decisions"))" },
        emptyReason: panel.rows.first?.text("status") ?? Plot.emptyReason)
    }
    return Plot(panels, or: .rows(PlotRows(axis, [], as: .bar))).figures(
      name: "regret_by_variant", title: "Regret in hindsight, by variant",
      description: "The reward lost by choosing each variant instead of the one with the greatest "
        + "mean reward in the whole log; n is the number of its decisions.")
  }
}
