public import Plots
internal import Replay
public import Tables

extension FunnelReport {
  /// Adds who reached the last step, and the method; steps that the log does not have come first.
  public func summarize(_ table: inout Table) {
    let rows = AnswerRows(table)
    let absent = steps.enumerated().filter { table.noteText("step_\($0.offset + 1)") != nil }
      .map { AnswerText.name($0.element) }
    let nowhere =
      absent.isEmpty
      ? [] : ["The log has no goal or conversion \(AnswerText.list(absent)): nobody can reach it."]
    let problems = nowhere + unreached(rows)
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
  }

  /// Says in how many places nobody reached a step before the last, by which nobody reached the last there.
  private func unreached(_ rows: AnswerRows) -> [String] {
    guard order != .each else { return [] }
    let groups = rows.groups(besides: ["variant"])
    let sentences = steps.indices.dropLast().lazy.compactMap { index -> String? in
      let own = groups.filter { rows.count($0.rows[0], "step") == index + 1 }
      let none = own.count { group in group.rows.allSatisfy { rows.count($0, "reached") == 0 } }
      guard none > 0, none < own.count else { return nil }
      return
        "Nobody reached \(AnswerText.name(steps[index])) in \(none) of \(own.count) places, and so no later step there."
    }
    return Array(sentences.prefix(1))
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

extension FunnelReport {
  public static let notebookCode: String? = NotebookCode.intervals(
    "funnel", "share", of: "point", "slot", "variant", "step_name")

  public static func figures(of table: FigureTable) -> [Figure] {
    let axis = PlotAxis("share of the units of the variant", unit: .percent)
    let isNumbered = table.noteText("order")?.hasPrefix("each") != true
    let panels = table.panels(except: ["variant", "step"]).map { panel in
      let variants = panel.names("variant")
      let rows = panel.rows.sorted { a, b in
        let (first, second) = (a.number("step") ?? 0, b.number("step") ?? 0)
        if first != second { return first < second }
        let places = (
          variants.firstIndex(of: a.text("variant")), variants.firstIndex(of: b.text("variant"))
        )
        return places.0 ?? 0 < places.1 ?? 0
      }
      let bars = rows.filter { $0.number("step") != 0 && $0.number("share") != nil }.map { row in
        let step = row.text("step_name")
        return PlotRows.Row(
          row.text("variant"), group: isNumbered ? "\(row.text("step")). \(step)" : step,
          value: row.number("share"), low: row.number("ci_low"), high: row.number("ci_high"),
          note: "\(row.text("reached")) of \(row.text("units"))",
          series: panel.series(of: row.text("variant")))
      }
      return PlotPanel(
        panel.title, .rows(PlotRows(axis, bars, as: .bar)), emptyReason: "there are no units")
    }
    return Plot(panels, or: .rows(PlotRows(axis, [], as: .bar))).figures(
      name: "funnel", title: "Steps reached",
      description:
        "The share of the units of each variant that reached each step after their first "
        + "exposure (bar), with its confidence interval by Wilson's method (line).")
  }
}
