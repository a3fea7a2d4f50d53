internal import Plots
internal import Tables

/// Figures with a row and an interval for each variant.
extension ReportFigures {
  /// The columns of a value, its interval and the number of observations behind it.
  private struct Columns {
    var value: String
    var low = "ci_low"
    var high = "ci_high"
    var count: String
    /// The column of a verdict; empty for none.
    var verdict = ""
  }

  static func rewards(_ table: FigureTable) -> [Figure] {
    let columns = Columns(value: "reward_mean", count: "decisions")
    let per = table.noteText("per") ?? "decision"
    let axis = PlotAxis("mean reward of a \(per)")
    return plot(table, axis, columns).figures(
      name: "rewards", title: "Reward by variant",
      description: "The mean reward of each variant (dot) with its confidence interval (line) by "
        + "Student's t; n is the number of \(per)s. Intervals that overlap do not show that variants "
        + "are equal; the lift says how much they differ.")
  }

  static func conversions(_ table: FigureTable) -> [Figure] {
    let columns = Columns(value: "conversion_rate", count: "units")
    return plot(table, PlotAxis("conversion rate", unit: .percent), columns).figures(
      name: "conversions", title: "Conversion rate by variant",
      description:
        "The share of the units of each variant that converted (dot) with its confidence "
        + "interval (line) by Wilson's method.")
  }

  static func revenue(_ table: FigureTable) -> [Figure] {
    // Goals that are worth nothing have no revenue to compare.
    let worthless = table.panels(except: ["variant"]).filter { panel in
      !panel.rows.contains { $0.number("revenue_sum") ?? 0 != 0 }
    }.map(\.title)
    let columns = Columns(
      value: "revenue_mean", low: "revenue_ci_low", high: "revenue_ci_high", count: "units")
    var plot = plot(table, PlotAxis("revenue per unit"), columns)
    plot.panels.removeAll { worthless.contains($0.title) }
    guard !plot.panels.isEmpty else { return [] }
    return plot.figures(
      name: "revenue", title: "Revenue by variant",
      description:
        "The mean revenue of the units of each variant (dot), those that did not convert "
        + "included, with its confidence interval (line); n is the number of units.")
  }

  static func learning(_ table: Table) -> [Figure] {
    let axis = PlotAxis("mean reward of a decision")
    let panels = table.panels(except: ["policy", "features"]).map { panel in
      let rows = panel.groups(by: "policy").flatMap { policy, rows in
        rows.map { row in
          let features = row.text("features")
          let isChosen = row.text("chosen") == "true"
          return PlotRows.Row(
            features.isEmpty ? policy : "\(policy), \(features)", value: row.number("value"),
            low: row.number("ci_low"), high: row.number("ci_high"),
            note: isChosen ? "chosen" : "", series: isChosen ? 1 : 0)
        }
      }
      return PlotPanel(panel.title, .rows(PlotRows(axis, rows)))
    }
    return figures(
      panels, or: .rows(PlotRows(axis, [])),
      name: "learning", title: "Policies learned from the log",
      description: "The estimated mean reward of a decision of each candidate (dot) with its "
        + "confidence interval (line): in cross-validation, by which one was chosen, and on the "
        + "decisions held back, which judge it fairly.")
  }

  static func lifts(_ table: FigureTable) -> [Figure] {
    let axis = PlotAxis("lift over the baseline", unit: .percent)
    let panels = table.panels(except: ["variant", "baseline"]).map { panel in
      let baseline = panel.names("baseline").joined(separator: ", ")
      let rows = panel.variantRows.map { series, row in
        let verdict = row.text("verdict")
        return PlotRows.Row(
          row.text("variant"), value: row.number("lift"), low: row.number("lift_ci_low"),
          high: row.number("lift_ci_high"), note: verdict, series: series,
          isDoubtful: verdict == ComparisonVerdict.notValid.rawValue)
      }
      return PlotPanel(
        panel.title, note: liftNote(panel, baseline),
        .rows(
          PlotRows(
            axis, rows, reference: 0, referenceName: "no difference", limits: limits(panel))))
    }
    return figures(
      panels, or: .rows(PlotRows(axis, [])),
      name: "compare", title: "Lift over the baseline",
      description:
        "By how much the mean of each variant is above that of the baseline, in percent of "
        + "it (dot), with its confidence interval (line). An interval that includes the dashed line is "
        + "compatible with no difference; a line that reaches the edge goes on beyond it. Hollow dots and "
        + "dashed lines are not valid.")
  }

  /// Returns the limits between which the intervals of lifts are drawn: one that is many times as wide as most would
  /// leave no room for the others.
  private static func limits(_ panel: FigurePanel) -> ClosedRange<Double>? {
    let values = panel.rows.compactMap { $0.number("lift") }
    let ends = panel.rows.map { ($0.number("lift_ci_low"), $0.number("lift_ci_high")) }
    guard let least = values.min(), let greatest = values.max() else { return nil }
    let typical = { (ends: [Double]) in ends.sorted()[(ends.count - 1) / 2] }
    let lows = ends.compactMap(\.0).map(\.magnitude)
    let highs = ends.compactMap(\.1).map(\.magnitude)
    guard lows.count > 2, highs.count > 2 else { return nil }
    return min(least, -6 * typical(lows))...max(greatest, 6 * typical(highs))
  }

  /// Returns the baseline, and why rows are not valid if some are not.
  private static func liftNote(_ panel: FigurePanel, _ baseline: String) -> String {
    let damaged = panel.rows.first { $0.text("verdict") == ComparisonVerdict.notValid.rawValue }
    let parts = [
      baseline.isEmpty ? nil : "baseline: \(baseline)",
      damaged.map { "not valid: \($0.text("reason"))" },
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }

  static func adaptive(_ table: FigureTable) -> [Figure] {
    let columns = Columns(
      value: "aw_mean", count: "decisions", verdict: "status")
    return plot(table, PlotAxis("mean reward of a decision"), columns).figures(
      name: "adaptive", title: "Reward by variant under adaptive allocation",
      description: "The adaptively weighted mean reward of each variant (dot) with its confidence "
        + "interval (line), which holds although a policy learned while the log was written.")
  }

  static func quantiles(_ table: FigureTable) -> [Figure] {
    plot(table, PlotAxis("value"), Columns(value: "value", count: "units"))
      .figures(
        name: "quantiles", title: "Quantiles by variant",
        description: "The quantile of each variant (dot) with its confidence interval (line).")
  }

  static func visits(_ table: FigureTable) -> [Figure] {
    plot(
      table, PlotAxis("visits per unit"),
      Columns(value: "visits_per_unit", count: "units")
    ).figures(
      name: "visits", title: "Visits per unit",
      description: "The mean number of visits of a unit of each variant (dot) with its confidence "
        + "interval (line).")
  }

  private static func plot(
    _ table: FigureTable, _ axis: PlotAxis, _ columns: Columns
  ) -> Plot {
    let panels = table.panels(except: ["variant"]).map { panel in
      let verdicts = columns.verdict.isEmpty ? [] : panel.names(columns.verdict)
      let rows = panel.variantRows.map { series, row in
        let verdict = columns.verdict.isEmpty ? "" : row.text(columns.verdict)
        let name = row.text("variant")
        return PlotRows.Row(
          name.isEmpty ? "all" : name, value: row.number(columns.value),
          low: row.number(columns.low), high: row.number(columns.high),
          note: verdict.isEmpty || verdict == "ok" ? "n = \(row.text(columns.count))" : verdict,
          series: series)
      }
      return PlotPanel(
        panel.title, .rows(PlotRows(axis, rows)),
        emptyReason: verdicts.isEmpty
          ? "no variant has a value" : "no value: " + verdicts.joined(separator: ", "))
    }
    let empty = PlotPanel("", .rows(PlotRows(axis, [])), emptyReason: emptyReason)
    return Plot(panels.isEmpty ? [empty] : panels)
  }
}
