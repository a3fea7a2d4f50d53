public import Plots
internal import Tables

extension ComparisonReport {
  public static let notebookCode: String? = NotebookCode.intervals(
    "compare", "lift", "lift_ci_low", "lift_ci_high", of: "point", "slot", "metric", "variant",
    reference: 0)

  public static func figures(of table: FigureTable) -> [Figure] {
    let segments = segments(of: table)
    let axis = PlotAxis("lift over the baseline", unit: .percent)
    let wholes = table.panels(except: ["variant", "baseline"]) { !SegmentEffects.isSegment($0) }
    guard !wholes.isEmpty || segments.isEmpty else { return segments }
    let panels = wholes.map { panel in
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
            axis, rows, reference: 0, referenceName: "no difference", limits: limits(rows))))
    }
    return Plot(panels, or: .rows(PlotRows(axis, []))).figures(
      name: "compare", title: "Lift over the baseline",
      description:
        "By how much the mean of each variant is above that of the baseline, in percent of "
        + "it (dot), with its confidence interval (line). An interval that includes the dashed line is "
        + "compatible with no difference; a line that reaches the edge goes on beyond it. Hollow dots and "
        + "dashed lines are not valid.") + segments
  }

  /// Returns the limits between which intervals are drawn: one that is many times as wide as most would leave no room
  /// for the others.
  static func limits(_ rows: [PlotRows.Row]) -> ClosedRange<Double>? {
    let values = rows.compactMap(\.value)
    guard let least = values.min(), let greatest = values.max() else { return nil }
    let typical = { (ends: [Double]) in ends.sorted()[(ends.count - 1) / 2] }
    let lows = rows.compactMap(\.low).map(\.magnitude)
    let highs = rows.compactMap(\.high).map(\.magnitude)
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
}
