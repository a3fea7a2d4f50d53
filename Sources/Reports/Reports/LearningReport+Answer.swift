internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

extension LearningReport {
  /// Returns the table with the policy that was chosen and what it is worth, and the method.
  func answered(_ table: Table) -> Table {
    var table = table
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
    return table
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
