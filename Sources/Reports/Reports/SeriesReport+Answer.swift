internal import Replay
public import Tables

extension SeriesReport {
  /// Adds what happened in all, who was ahead at the end, and the method.
  public func summarize(_ table: inout Table) {
    let rows = AnswerRows(table)
    let key = period.rawValue
    if rows.indices.isEmpty {
      table.answer = [AnswerText.nothing]
    } else {
      let groups = rows.groups(besides: [key])
      // The last row of each line, together with those of the same place.
      let ends = Set(groups.compactMap(\.rows.last))
      let places = rows.groups(besides: [key, "variant"]).map { group in
        AnswerRows.Group(name: group.name, rows: group.rows.filter { ends.contains($0) })
      }
      let leaders = LeaderAnswer(rows, groups: places, .init("reward_mean"), of: attribution.metric.metric)
      let noun = MetricWords(attribution.metric.metric).noun(or: "reward")
      table.answer =
        [total(rows, key)]
        + leaders.sentences("mean \(noun) of all decisions up to the end", level: level)
    }
    table.method = TableMethod(
      "decisions and rewards by \(key), means of all decisions up to its end; Student t, \(Percent.text(level))",
      report: Self.name)
    table.series = TableSeries(
      along: key, drawn: [("decision_share", 1), ("reward_sum", nil)],
      last: ["reward_mean"])
  }

  private func total(_ rows: AnswerRows, _ key: String) -> String {
    let periods = Set(rows.indices.map { rows.text($0, key) })
    let decisions = rows.indices.reduce(0) { $0 + rows.count($1, "decisions") }
    let rewards = rows.indices.reduce(0) { $0 + rows.count($1, "rewards") }
    let span =
      periods.count > 1
      ? "From \(periods.min() ?? "") to \(periods.max() ?? "")" : "In \(periods.min() ?? "")"
    return
      "\(span): \(AnswerText.count(decisions, "decision")) and \(AnswerText.count(rewards, "reward"))."
  }
}
