internal import Plots
internal import Statistics
internal import Tables

/// Figures with a row and an interval for each variant.
extension ReportFigures {
  /// The columns of a value, its interval and the number of observations behind it.
  private struct Columns {
    var value: String
    var low = "ci_low"
    var high = "ci_high"
    var count: String
    var counted: String
    /// The column of a verdict; empty for none.
    var verdict = ""
  }

  static func rewards(_ table: Table) -> [Figure] {
    let columns = Columns(value: "reward_mean", count: "decisions", counted: "decisions")
    let per = table.noteText("per") ?? "decision"
    let axis = PlotAxis("mean reward of a \(per)")
    return chart(table, axis, columns).figures(
      name: "rewards", title: "Reward by variant",
      description: "The mean reward of each variant (dot) with its confidence interval (line) by "
        + "Student's t. Intervals that overlap do not show that variants are equal; the lift says how "
        + "much they differ.")
  }

  static func conversions(_ table: Table) -> [Figure] {
    let columns = Columns(value: "conversion_rate", count: "units", counted: "units")
    return chart(table, PlotAxis("conversion rate", unit: .percent), columns).figures(
      name: "conversions", title: "Conversion rate by variant",
      description:
        "The share of the units of each variant that converted (dot) with its confidence "
        + "interval (line) by Wilson's method.")
  }

  static func lifts(_ table: Table) -> [Figure] {
    let axis = PlotAxis("lift over the baseline", unit: .percent)
    let panels = table.panels(except: ["variant", "baseline"]).map { panel in
      let baseline = panel.names("baseline").joined(separator: ", ")
      return IntervalChart.Panel(
        title: panel.title, note: baseline.isEmpty ? "" : "baseline: \(baseline)", axis: axis,
        rows: sorted(panel).map { place, row in
          let verdict = row.text("verdict")
          return IntervalChart.Row(
            row.text("variant"), value: row.number("lift"), low: row.number("lift_ci_low"),
            high: row.number("lift_ci_high"), note: verdict, series: place)
        }, reference: 0, referenceName: "no difference")
    }
    return IntervalChart(panels: panels.isEmpty ? emptyRows(axis) : panels).figures(
      name: "compare", title: "Lift over the baseline",
      description:
        "By how much the mean of each variant is above that of the baseline, in percent of "
        + "it (dot), with its confidence interval (line). An interval that includes the dashed line is "
        + "compatible with no difference; a line that reaches the edge has no end.")
  }

  static func adaptive(_ table: Table) -> [Figure] {
    let columns = Columns(
      value: "aw_mean", count: "decisions", counted: "decisions", verdict: "status")
    return chart(table, PlotAxis("mean reward of a decision"), columns).figures(
      name: "adaptive", title: "Reward by variant under adaptive allocation",
      description: "The adaptively weighted mean reward of each variant (dot) with its confidence "
        + "interval (line), which holds although a policy learned while the log was written.")
  }

  static func quantiles(_ table: Table) -> [Figure] {
    chart(table, PlotAxis("value"), Columns(value: "value", count: "units", counted: "units"))
      .figures(
        name: "quantiles", title: "Quantiles by variant",
        description: "The quantile of each variant (dot) with its confidence interval (line).")
  }

  static func visits(_ table: Table) -> [Figure] {
    chart(
      table, PlotAxis("visits per unit"),
      Columns(value: "visits_per_unit", count: "units", counted: "units")
    ).figures(
      name: "visits", title: "Visits per unit",
      description: "The mean number of visits of a unit of each variant (dot) with its confidence "
        + "interval (line).")
  }

  private static func chart(
    _ table: Table, _ axis: PlotAxis, _ columns: Columns
  ) -> IntervalChart {
    let panels = table.panels(except: ["variant"]).map { panel in
      IntervalChart.Panel(
        title: panel.title, axis: axis,
        rows: sorted(panel).map { place, row in
          let verdict = columns.verdict.isEmpty ? "" : row.text(columns.verdict)
          let name = row.text("variant")
          return IntervalChart.Row(
            name.isEmpty ? "all" : name, value: row.number(columns.value),
            low: row.number(columns.low), high: row.number(columns.high),
            note: verdict.isEmpty || verdict == "ok"
              ? "\(row.text(columns.count)) \(columns.counted)" : verdict, series: place)
        })
    }
    return IntervalChart(panels: panels.isEmpty ? emptyRows(axis) : panels)
  }

  /// Returns the rows of a panel in natural order of their variants, each with the index of its colour.
  private static func sorted(_ panel: FigurePanel) -> [(series: Int, row: FigureRow)] {
    let places = Dictionary(
      panel.names("variant").enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return panel.groups(by: "variant").flatMap { name, rows in
      rows.map { (places[name] ?? 0, $0) }
    }
  }
}
