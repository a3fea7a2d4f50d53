public import Plots
internal import Replay
public import Tables

extension RewardReport {
  /// Adds who earned most, and the method.
  public func summarize(_ table: inout Table) {
    let rows = AnswerRows(table)
    let leaders = LeaderAnswer(
      rows, groups: rows.groups(besides: ["variant"]), .init("reward_mean"), of: attribution.metric.metric)
    let hasRewards = rows.indices.contains { rows.count($0, "rewards") > 0 }
    let noun = MetricWords(attribution.metric.metric).noun(or: "reward")
    if rows.indices.isEmpty {
      table.answer = [AnswerText.nothing]
    } else if hasRewards {
      table.answer =
        leaders.sentences("mean \(noun) per \(per.rawValue)", level: level) + leaders.advice
    } else {
      table.answer = [Self.withoutRewards(table)]
    }
    table.method = TableMethod(
      "mean over \(per.rawValue)s, interval by Student's t, \(Percent.text(level))",
      report: Self.name)
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
  /// Finds the leaders by a metric: the lowest where less is better, with values written as those of a named metric.
  init(
    _ rows: AnswerRows, groups: [AnswerRows.Group], _ columns: Columns, of metric: Metric,
    as display: TableColumn.Display = .estimate
  ) {
    let words = MetricWords(metric)
    self.init(
      rows, groups: groups, columns, lowest: metric.direction == .lower, as: display,
      text: metric.label.map { _ in { words.mean($0) } })
  }

  /// Who judges differences; nothing where nothing is compared.
  var advice: [String] {
    isComparison ? ["This is no test: `bandolier report compare` judges differences."] : []
  }
}

extension RewardReport {
  public static let notebookCode: String? = NotebookCode.intervals(
    "rewards", "reward_mean", of: "point", "slot", "variant")

  public static func figures(of table: FigureTable) -> [Figure] {
    let per = table.noteText("per") ?? "decision"
    let axis = PlotAxis("mean reward of a \(per)")
    return table.variants(axis, value: "reward_mean", count: "decisions").figures(
      name: "rewards", title: "Reward by variant",
      description: "The mean reward of each variant (dot) with its confidence interval (line) by "
        + "Student's t; n is the number of \(per)s. Intervals that overlap do not show that variants "
        + "are equal; the lift says how much they differ.")
  }
}
