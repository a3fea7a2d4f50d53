internal import Replay
public import Tables

extension ComparisonReport: PlannedReport {
  /// Adds what to do with each variant to its row of the goal metric.
  package func planned(_ table: Table, by entry: AnalysisPlan.Entry, of source: ReportSource)
    throws -> Table
  {
    // A test of a single look must not decide at any look; a sequential one is a plan of its own.
    var own = entry
    own.stopping = .everyLook
    let comparison =
      plan.method.isSequential
      ? try PlannedComparison(own, table, plan, source)
      : try PlannedComparison(entry, source, like: plan)
    var wide = try Table(
      name: table.name, title: table.title,
      columns: table.columns + Self.recommendationColumns)
    for (cells, row) in zip(NamedCells.rows(of: table), table.rows) {
      let own = comparison.decisions.first { $0.isOf(cells) }
      try wide.append(
        row: Array(row) + [
          TableCell(own?.recommendation.action.rawValue),
          own?.until?.cell ?? .empty,
          TableCell(own?.recommendation.reason),
        ])
    }
    for note in table.notes { wide.note(note.name, note.value) }
    (wide.method, wide.cards) = (table.method, comparison.cards)
    return wide
  }

  private static let recommendationColumns: [TableColumn] = [
    .measure(
      "recommendation", .text,
      "ship, roll back, keep running, stop or not valid, by the analysis file"),
    .measure("until", .timestamp, "when the units needed are there at the present rate"),
    .measure("recommendation_reason", .text, "the rule and the numbers behind it"),
  ]

  public func summarize(_ table: inout Table) {
    let decided = DecisionAnswer(table, reason: "recommendation_reason").sentences
    let compared = ComparisonAnswer(table, level: plan.level).sentences
    table.answer = Array((decided + compared.prefix(max(0, 3 - decided.count))))
  }
}
