internal import Statistics
internal import Tables

extension RetentionReport {
  /// Returns the table with the variants whose units come back most, and the method.
  func answered(_ table: Table) -> Table {
    var table = table
    let rows = AnswerRows(table)
    // The last day that was over for units of every variant.
    let known = rows.groups(besides: ["variant", "experiment", "point", "slot"])
      .filter { group in group.rows.allSatisfy { rows.count($0, "units") > 0 } }
      .map { rows.count($0.rows[0], "day") }
    if rows.indices.isEmpty {
      table.answer = [AnswerText.nothing]
    } else if let day = known.max() {
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
    return table
  }
}
