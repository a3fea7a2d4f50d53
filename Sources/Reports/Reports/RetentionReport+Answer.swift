public import Plots
public import Tables

extension RetentionReport {
  /// Adds the variants whose units come back most, and the method.
  public func summarize(_ table: inout Table) {
    let rows = AnswerRows(table)
    if rows.indices.isEmpty {
      table.answer = [AnswerText.nothing]
    } else if let day = Self.answeredDay(rows) {
      let groups = rows.groups(besides: ["variant", "day"]).map { group in
        AnswerRows.Group(
          name: group.name, rows: group.rows.filter { rows.count($0, "day") == day })
      }
      let leaders = LeaderAnswer(rows, groups: groups, .init("retention"), as: .share)
      table.answer =
        leaders.sentences("share of units that came back on day \(day)", level: level)
        + leaders.advice
    } else {
      table.answer = ["No day is over yet for units of every variant."]
    }
    table.method = TableMethod(
      "units by their first exposure; Wilson interval, \(Percent.text(level))", report: Self.name)
  }

  /// The last day that was over for at least half of the units of every variant for which the first day was: of later
  /// days a few units say little. Nil if there is none.
  private static func answeredDay(_ rows: AnswerRows) -> Int? {
    let variants = rows.groups(besides: ["day"]).map { group in
      group.rows.map { (day: rows.count($0, "day"), units: rows.count($0, "units")) }
    }
    let days = Set(variants.joined().map(\.day))
    return days.filter { day in
      variants.allSatisfy { variant in
        let first = variant.min { $0.day < $1.day }?.units ?? 0
        let units = variant.first { $0.day == day }?.units ?? 0
        return units > 0 && 2 * units >= first
      }
    }.max()
  }
}

extension RetentionReport {
  public static let notebookCode: String? = """
    retention = of_experiment("retention")
    draw_lines(retention, "day", "retention", ["point", "slot", "variant"], "ci_low", "ci_high")
    """

  public static func figures(of table: FigureTable) -> [Figure] {
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
    return Plot(panels, or: .curves(PlotCurves(x: x, y: y, []))).figures(
      name: "retention", title: "Units that came back",
      description: "The share of the units of each variant that came back the given number of days "
        + "after their first exposure (dots), with a confidence interval by Wilson's method. Days "
        + "that are far apart are joined by dotted lines.")
  }
}
