internal import EventLog
internal import Replay
internal import Statistics
internal import Tables

extension FunnelReport {
  /// Returns the table with who reached the last step, and the method; steps that the log does not have come first.
  func answered(_ table: Table, _ names: LogNames) -> Table {
    var table = table
    let rows = AnswerRows(table)
    let absent = steps.filter { names.code(of: $0, in: .goals) == nil }.map(AnswerText.name)
    let problems =
      absent.isEmpty
      ? [] : ["The log has no goal or conversion \(AnswerText.list(absent)): nobody can reach it."]
    let last = rows.groups(besides: ["variant"]).filter { group in
      rows.count(group.rows[0], "step") == steps.count
    }.map { group in
      AnswerRows.Group(name: Self.place(group.name, steps.count), rows: group.rows)
    }
    let leaders = LeaderAnswer(rows, groups: last, .init("share"), as: .share)
    let what =
      "share of units that reached the last step"
      + (steps.last.map { ", \(AnswerText.name($0))" } ?? "")
    table.answer =
      rows.indices.isEmpty
      ? problems + [AnswerText.nothing]
      : AnswerText.answer(problems + leaders.sentences(what, level: level) + leaders.advice)
    table.method = TableMethod(
      "\(order == .ordered ? "steps one after the other" : "steps in any order") after the first exposure; Wilson "
        + "interval, \(Percent.text(level))", report: Self.name)
    return table
  }

  /// Returns the name of a place without the number of the step.
  private static func place(_ name: String, _ step: Int) -> String {
    let end = "/\(step)"
    return name.hasSuffix(end) ? String(name.dropLast(end.count)) : name
  }
}
