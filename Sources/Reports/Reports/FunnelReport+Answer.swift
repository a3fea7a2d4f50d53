internal import EventLog
internal import Replay
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
    let leaders = LeaderAnswer(rows, groups: groups(rows), .init("share"), as: .share)
    let what =
      order == .each
      ? "share of units that reached a goal"
      : "share of units that reached the last step"
        + (steps.last.map { ", \(AnswerText.name($0))" } ?? "")
    table.answer =
      rows.indices.isEmpty
      ? problems + [AnswerText.nothing]
      : AnswerText.answer(problems + leaders.sentences(what, level: level) + leaders.advice)
    table.method = TableMethod(
      "\(orderedSteps) after the first exposure; Wilson interval, \(Percent.text(level))",
      report: Self.name)
    return table
  }

  private var orderedSteps: String {
    switch order {
    case .ordered: "steps one after the other"
    case .any: "steps in any order"
    case .each: "goals, each on its own,"
    }
  }

  /// Returns the rows that are compared: those of the last step, or of every one if each is on its own.
  private func groups(_ rows: AnswerRows) -> [AnswerRows.Group] {
    rows.groups(besides: ["variant"]).compactMap { group in
      let step = rows.count(group.rows[0], "step")
      guard order == .each ? step > 0 : step == steps.count else { return nil }
      let place = Self.place(group.name, step)
      guard order == .each else { return AnswerRows.Group(name: place, rows: group.rows) }
      let goal = AnswerText.name(rows.text(group.rows[0], "step_name"))
      return AnswerRows.Group(name: place.isEmpty ? goal : "\(place)/\(goal)", rows: group.rows)
    }
  }

  /// Returns the name of a place without the number of the step.
  private static func place(_ name: String, _ step: Int) -> String {
    let end = "/\(step)"
    return name.hasSuffix(end) ? String(name.dropLast(end.count)) : name
  }
}
