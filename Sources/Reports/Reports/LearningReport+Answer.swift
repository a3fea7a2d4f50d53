internal import OffPolicy
public import Plots
internal import Replay
internal import Specifications
internal import Statistics
public import Tables

extension LearningReport {
  /// Adds the policy that was chosen and what it is worth, and the method.
  public func summarize(_ table: inout Table) {
    let rows = AnswerRows(table)
    let held = rows.indices.filter { rows.text($0, "part") == Self.heldOut }
    let isChosen = { (row: Int) in rows[row, "chosen"] == .flag(true) }
    let part = held.isEmpty ? Array(rows.indices) : held
    if let chosen = part.first(where: isChosen) {
      table.answer = [worth(chosen, rows, isHeld: !held.isEmpty)] + rivals(chosen, held, rows)
      if held.isEmpty {
        table.answer.append(
          "No decision was held back: the value of the best of several candidates is too high on average."
        )
      }
    } else {
      table.answer = [AnswerText.nothing]
    }
    table.method = TableMethod(
      "\(plan.estimator.specification.description); interval \(plan.interval.specification.description), "
        + Percent.text(level))
  }

  private func worth(_ row: Int, _ rows: AnswerRows, isHeld: Bool) -> String {
    let data = isHeld ? "on decisions held back" : "by cross-validation"
    guard let value = rows.number(row, "value") else {
      return
        "Chosen: \(rows.text(row, "policy")); its value \(data) is not known (\(rows.text(row, "status")))."
    }
    return
      "Chosen: \(rows.text(row, "policy")), worth \(AnswerText.number(value)) a decision \(data)\(interval(row, rows))."
  }

  private func rivals(_ chosen: Int, _ held: [Int], _ rows: AnswerRows) -> [String] {
    let others = held.filter { $0 != chosen }.compactMap { row in
      rows.number(row, "value").map {
        "\(rows.text(row, "policy")) \(AnswerText.number($0))\(interval(row, rows))"
      }
    }
    return others.isEmpty ? [] : ["On the same decisions: \(AnswerText.list(others))."]
  }

  private func interval(_ row: Int, _ rows: AnswerRows) -> String {
    guard let low = rows.number(row, "ci_low"), let high = rows.number(row, "ci_high") else {
      return " (\(rows.text(row, "status")))"
    }
    return
      " (\(Percent.text(level)) interval \(AnswerText.number(low)) to \(AnswerText.number(high)))"
  }
}

extension LearningReport {
  public static func figures(of table: FigureTable) -> [Figure] {
    let axis = PlotAxis("mean reward of a decision")
    let panels = table.panels(except: ["policy", "features"]).map { panel in
      let rows = panel.groups(by: "policy").flatMap { policy, rows in
        rows.map { row in
          let features = row.text("features")
          let isChosen = row.text("chosen") == "true"
          return PlotRows.Row(
            features.isEmpty ? policy : "\(policy), \(features)", value: row.number("value"),
            low: row.number("ci_low"), high: row.number("ci_high"),
            note: isChosen ? "chosen" : "", series: isChosen ? 1 : 0)
        }
      }
      return PlotPanel(panel.title, .rows(PlotRows(axis, rows)))
    }
    return Plot(panels, or: .rows(PlotRows(axis, []))).figures(
      name: "learning", title: "Policies learned from the log",
      description: "The estimated mean reward of a decision of each candidate (dot) with its "
        + "confidence interval (line): in cross-validation, by which one was chosen, and on the "
        + "decisions held back, which judge it fairly.")
  }
}
