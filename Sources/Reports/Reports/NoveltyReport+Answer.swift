public import Plots
internal import Replay
public import Tables

extension NoveltyReport {
  public static let explanation = Explanation(
    question: "does the effect change with the days since the exposure?",
    inputs: "decisions (time, unit, experiment, point, slot, variant, status), and goals or conversions of the metric",
    of: columns)

  /// Adds how the differences changed from the first day to the last, and the method.
  public func summarize(_ table: inout Table) {
    let rows = AnswerRows(table)
    let sentences = rows.groups(besides: ["variant", "day"]).flatMap { place in
      Dictionary(grouping: place.rows) { rows.text($0, "variant") }.sorted {
        $0.value[0] < $1.value[0]
      }.compactMap { Self.sentence(place.name, $1, rows) }
    }
    table.answer =
      rows.indices.isEmpty
      ? [AnswerText.nothing]
      : sentences.isEmpty
        ? ["No variant has an interval on two days: units are too few, or too young."] : Array(sentences.prefix(3))
    table.method = TableMethod(
      "units by their first exposure, days of 24 hours from it; Welch, \(Percent.text(level)), at one look",
      report: Self.name)
  }

  /// Returns what happened to the difference of a variant; nil unless it has intervals on two days.
  private static func sentence(_ place: String, _ own: [Int], _ rows: AnswerRows) -> String? {
    let known = own.filter { rows.number($0, "ci_low") != nil }.sorted {
      rows.count($0, "day") < rows.count($1, "day")
    }
    guard known.count > 1, let first = known.first, let last = known.last else { return nil }
    func difference(_ row: Int) -> Double { rows.number(row, "difference") ?? 0 }
    func day(_ row: Int) -> String {
      "\(AnswerText.number(difference(row))) on day \(rows.count(row, "day"))"
    }
    let isApart =
      (rows.number(first, "ci_low") ?? 0) > (rows.number(last, "ci_high") ?? 0)
      || (rows.number(first, "ci_high") ?? 0) < (rows.number(last, "ci_low") ?? 0)
    let change = abs(difference(last)) < abs(difference(first)) ? "the effect wears off" : "the effect grows"
    let name = place.isEmpty ? "" : "\(place): "
    return "\(name)\(rows.text(first, "variant")) differs from \(rows.text(first, "baseline")) by \(day(first)) and "
      + "\(day(last)): \(isApart ? change : "their intervals overlap, so that no change is shown")."
  }

  public static func figures(of table: FigureTable) -> [Figure] {
    let x = PlotAxis("days since the first exposure")
    let y = PlotAxis("difference from the baseline", includesZero: true)
    let panels = table.panels(except: ["variant", "day"]).map { panel in
      let curves = panel.groups(by: "variant").map { group in
        PlotCurves.Curve(
          group.name, group.rows.compactMap { $0.point(at: $0.number("day"), "difference") },
          series: panel.series(of: group.name))
      }
      let baseline = panel.rows.first?.text("baseline") ?? ""
      return PlotPanel(
        "\(panel.title) against \(baseline)", .curves(PlotCurves(x: x, y: y, curves, joining: .whereDense)),
        emptyReason: "no unit is old enough")
    }
    return Plot(panels, or: .curves(PlotCurves(x: x, y: y, []))).figures(
      name: "novelty", title: "Effect by days since exposure",
      description: "The difference of each variant from the baseline on each day since the first exposure of a unit "
        + "(dots), with a confidence interval for each day. One that shrinks is an effect of novelty.")
  }
}
