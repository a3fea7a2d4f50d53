public import Plots
internal import Replay
public import Tables

extension VisitReport {
  /// Adds the visits of all units, those of variants, and the method.
  public func summarize(_ table: inout Table) {
    let rows = AnswerRows(table)
    let (all, variants) = rows.indices.reduce(into: ([Int](), Set<Int>())) { parts, row in
      // The row of all units has no keys.
      if rows[row, "variant"] == .empty { parts.0.append(row) } else { parts.1.insert(row) }
    }
    let groups = rows.groups(besides: ["variant"]).map { group in
      AnswerRows.Group(name: group.name, rows: group.rows.filter(variants.contains))
    }
    let leaders = LeaderAnswer(rows, groups: groups, .init("visits_per_unit"))
    table.answer =
      rows.indices.isEmpty
      ? [AnswerText.nothing]
      : all.map { overall($0, rows) } + leaders.sentences("visits per unit", level: level)
    table.method = TableMethod(
      "visits end after \(DurationText.text(inactivity)) without events; Student t over units, \(Percent.text(level))",
      report: Self.name)
  }

  private func overall(_ row: Int, _ rows: AnswerRows) -> String {
    let number = { (column: String) in
      rows.number(row, column).map { AnswerText.number($0) } ?? "?"
    }
    let share = rows.number(row, "goal_share").map { AnswerText.share($0) } ?? "?"
    return
      "\(AnswerText.count(rows.count(row, "units"), "unit")) came \(number("visits_per_unit")) times each on average, "
      + "with \(number("events_per_visit")) events a visit; \(share) of the visits had a goal or conversion."
  }
}

extension VisitReport {
  public static func figures(of table: FigureTable) -> [Figure] {
    let axis = PlotAxis("visits per unit")
    return table.variants(axis, value: "visits_per_unit", count: "units").figures(
      name: "visits", title: "Visits per unit",
      description: "The mean number of visits of a unit of each variant (dot) with its confidence "
        + "interval (line).")
  }
}
