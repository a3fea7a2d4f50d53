internal import Statistics
internal import Tables

extension RewardReport {
  /// Returns the table with who earned most, and the method.
  func answered(_ table: Table) -> Table {
    var table = table
    let rows = AnswerRows(table)
    let leaders = LeaderAnswer(
      rows, groups: rows.groups(besides: ["variant"]), .init("reward_mean"))
    table.answer =
      rows.indices.isEmpty
      ? [AnswerText.nothing]
      : leaders.sentences("mean reward per \(per.rawValue)", level: level) + leaders.advice
    table.method = TableMethod(
      "mean over \(per.rawValue)s, interval by Student's t, \(Percent.text(level))",
      report: Self.name)
    return table
  }
}

extension LeaderAnswer {
  /// Who judges differences; nothing where nothing is compared.
  var advice: [String] {
    isComparison ? ["This is no test: `bandolier report compare` judges differences."] : []
  }
}
