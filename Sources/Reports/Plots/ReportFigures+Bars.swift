internal import Plots
internal import Specifications
internal import Tables

/// Figures with bars.
extension ReportFigures {
  static func sampleRatios(_ table: FigureTable) -> [Figure] {
    let axis = PlotAxis("units at their first exposure")
    let keys: Set = ["check", "variant"]
    let tests = table.panels(except: keys) { $0.text("check") == "sample_ratio" }
    let panels = table.panels(except: keys) { $0.text("check") == "sample_ratio_units" }.map {
      panel in
      PlotPanel(
        panel.title, note: tests.first { $0.title == panel.title }.map(sampleRatioNote) ?? "",
        bars(panel, axis, "value") { bar, row in bar.expected = row.number("expected") },
        emptyReason: "there are no bars")
    }
    guard !panels.isEmpty else { return [] }
    return Plot(panels).figures(
      name: "sample_ratio", title: "Units of each variant against the expected number",
      description:
        "How many units were first exposed to each variant (bar), and how many the shares "
        + "give (mark across the bar). A sample ratio mismatch, which the test of a panel finds with "
        + "a small p-value, means that units were lost or assigned wrongly: no comparison of the "
        + "variants can then be trusted.")
  }

  private static func sampleRatioNote(_ test: FigurePanel) -> String {
    guard let row = test.rows.first, let pValue = row.number("p_value") else { return "" }
    return
      "sample ratio: \(row.text("verdict")), p = \(NumberText.readable((pValue * 1e4).rounded() / 1e4)) "
      + "(\(row.text("detail")))"
  }

  /// Returns a bar for each variant, with what the closure adds to it.
  private static func bars(
    _ panel: FigurePanel, _ axis: PlotAxis, _ column: String,
    _ add: (inout PlotRows.Row, FigureRow) -> Void
  ) -> PlotPanel.Marks {
    let bars = panel.variantRows.compactMap { series, row in
      row.number(column).map { value in
        var bar = PlotRows.Row(row.text("variant"), value: value, series: series)
        add(&bar, row)
        return bar
      }
    }
    return .rows(PlotRows(axis, bars, as: .bar))
  }

  static func regretByVariant(_ table: FigureTable) -> [Figure] {
    let axis = PlotAxis("regret")
    let panels = table.panels(except: ["variant"]).map { panel in
      PlotPanel(
        panel.title,
        bars(panel, axis, "regret") { bar, row in bar.note = "n = \(row.text("decisions"))" },
        emptyReason: panel.rows.first?.text("status") ?? emptyReason)
    }
    return figures(
      panels, or: .rows(PlotRows(axis, [], as: .bar)),
      name: "regret_by_variant", title: "Regret in hindsight, by variant",
      description: "The reward lost by choosing each variant instead of the one with the greatest "
        + "mean reward in the whole log; n is the number of its decisions.")
  }

  static func funnel(_ table: FigureTable) -> [Figure] {
    let axis = PlotAxis("share of the units of the variant", unit: .percent)
    let isNumbered = table.noteText("order")?.hasPrefix("each") != true
    let panels = table.panels(except: ["variant", "step"]).map { panel in
      let variants = panel.names("variant")
      let rows = panel.rows.sorted { a, b in
        let (first, second) = (a.number("step") ?? 0, b.number("step") ?? 0)
        if first != second { return first < second }
        let places = (
          variants.firstIndex(of: a.text("variant")), variants.firstIndex(of: b.text("variant"))
        )
        return places.0 ?? 0 < places.1 ?? 0
      }
      let bars = rows.filter { $0.number("step") != 0 && $0.number("share") != nil }.map { row in
        let step = row.text("step_name")
        return PlotRows.Row(
          row.text("variant"), group: isNumbered ? "\(row.text("step")). \(step)" : step,
          value: row.number("share"), low: row.number("ci_low"), high: row.number("ci_high"),
          note: "\(row.text("reached")) of \(row.text("units"))",
          series: panel.series(of: row.text("variant")))
      }
      return PlotPanel(
        panel.title, .rows(PlotRows(axis, bars, as: .bar)), emptyReason: "there are no units")
    }
    return figures(
      panels, or: .rows(PlotRows(axis, [], as: .bar)), name: "funnel", title: "Steps reached",
      description:
        "The share of the units of each variant that reached each step after their first "
        + "exposure (bar), with its confidence interval by Wilson's method (line).")
  }
}
