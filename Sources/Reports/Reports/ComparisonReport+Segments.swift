internal import Plots
internal import Tables

extension ComparisonReport {
  /// Returns the effects in segments, a panel for each comparison; none for a table that is not broken down.
  static func segments(of table: FigureTable) -> [Figure] {
    let comparisons = SegmentEffects.all(of: table)
    guard !comparisons.isEmpty else { return [] }
    let tests = comparisons.count { $0.test != nil }
    let panels = comparisons.map { panel($0, tests: tests) }
    return Plot(panels).figures(
      name: "compare_segments", title: "Effects in segments",
      description: "By how much the mean of a variant is above that of its baseline in each segment (dot), with its "
        + "confidence interval (line), and in all segments together (dashed line). The test of heterogeneity says "
        + "whether the effects differ at all; without it a segment that stands out is likely to do so by chance, the "
        + "more so the more there are. Hollow dots are not valid and neither tested nor in the dashed line; "
        + "\(SegmentEffects.rule).")
  }

  private static func panel(_ segments: SegmentEffects, tests: Int) -> PlotPanel {
    let first = segments.panel.rows.first
    let (variant, baseline) = (first?.text("variant") ?? "", first?.text("baseline") ?? "")
    let title = [
      first?.cells.placeName ?? "", first?.text("metric") ?? "",
      baseline.isEmpty ? variant : "\(variant) against \(baseline)", "by \(first?.text("dimension") ?? "")",
    ]
    let rows = segments.effects.map { effect in
      PlotRows.Row(
        effect.name, value: effect.estimate, low: effect.low, high: effect.high,
        note: AnswerText.count(Int(clamping: Int64(effect.units)), "unit"), series: segments.panel.series(of: variant),
        isDoubtful: !effect.isValid)
    }
    let overall = segments.overall
    let axis = PlotAxis("difference from the baseline", includesZero: true)
    return PlotPanel(
      title.joined(separator: " · "), note: note(segments, tests: tests),
      .rows(
        PlotRows(
          axis, rows, reference: overall?.estimate,
          referenceName: overall.map { "\($0.name): \(AnswerText.number($0.estimate))" } ?? "", limits: limits(rows))),
      emptyReason: "no segment has an effect")
  }

  /// Returns the test, then what is not drawn on its own.
  private static func note(_ segments: SegmentEffects, tests: Int) -> String {
    let test = segments.test.map { test in
      let corrected = min(1, test.pValue * Double(tests))
      let of = tests > 1 ? ", of \(tests) tests \(AnswerNumber.pValue(corrected)) (Bonferroni)" : ""
      return "heterogeneity over \(test.count) segments: \(AnswerNumber.pValue(test.pValue))\(of)"
    }
    let parts = [("other", segments.others), ("without an effect", segments.unknown)].compactMap { what, names in
      names.isEmpty ? nil : "\(what): \(AnswerText.list(names, most: 8))"
    }
    return ([test ?? "heterogeneity: not tested"] + parts).joined(separator: "; ")
  }
}
