public import Plots
internal import Specifications
internal import Tables

extension HealthReport {
  public static func figures(of table: FigureTable) -> [Figure] {
    let axis = PlotAxis("units at their first exposure")
    let keys: Set = ["check", "variant"]
    let tests = table.panels(except: keys) { $0.text("check") == "sample_ratio" }
    let panels = table.panels(except: keys) { $0.text("check") == "sample_ratio_units" }.map {
      panel in
      PlotPanel(
        panel.title, note: tests.first { $0.title == panel.title }.map(sampleRatioNote) ?? "",
        .bars(panel, axis, "value") { bar, row in bar.expected = row.number("expected") },
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
}
