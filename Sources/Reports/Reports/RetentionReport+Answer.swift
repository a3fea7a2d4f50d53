internal import Tables

extension RetentionReport {
  /// Returns the table with the variants whose units come back most, and the method.
  func answered(_ table: Table) -> Table {
    var table = table
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
    return table
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
