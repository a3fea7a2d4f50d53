internal import Tables

extension RewardReport {
  /// Returns the table with who earned most, and the method.
  func answered(_ table: Table) -> Table {
    var table = table
    let rows = AnswerRows(table)
    let leaders = LeaderAnswer(
      rows, groups: rows.groups(besides: ["variant"]), .init("reward_mean"))
    let hasRewards = rows.indices.contains { rows.count($0, "rewards") > 0 }
    if rows.indices.isEmpty {
      table.answer = [AnswerText.nothing]
    } else if hasRewards {
      table.answer =
        leaders.sentences("mean reward per \(per.rawValue)", level: level) + leaders.advice
    } else {
      table.answer = [Self.withoutRewards(table)]
    }
    table.method = TableMethod(
      "mean over \(per.rawValue)s, interval by Student's t, \(Percent.text(level))",
      report: Self.name)
    return table
  }

  /// Returns in a sentence that no goal is credited, and what became of those that the log has.
  private static func withoutRewards(_ table: Table) -> String {
    let reasons = [
      ("goals_without_decision", "without a decision before it"),
      ("goals_not_credited", "not credited by the rules of attribution"),
      ("goals_refused", "refused"),
    ]
    let counts = reasons.compactMap { name, reason -> String? in
      guard case .integer(let count)? = table.notes.first(where: { $0.name == name })?.value,
        count > 0
      else { return nil }
      return "\(AnswerText.count(Int(count), "goal")) \(reason)"
    }
    let rest = counts.isEmpty ? "there are no goals" : AnswerText.list(counts)
    return "No decision has a reward: \(rest)."
  }
}

extension LeaderAnswer {
  /// Who judges differences; nothing where nothing is compared.
  var advice: [String] {
    isComparison ? ["This is no test: `bandolier report compare` judges differences."] : []
  }
}
