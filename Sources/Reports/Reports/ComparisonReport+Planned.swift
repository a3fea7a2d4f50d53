internal import Replay
internal import Specifications
public import Tables

extension ComparisonReport: PlannedReport {
  /// Adds what to do with each variant to its row of the goal metric, and leaves out tests for which it is too early.
  package func planned(_ table: Table, by entry: AnalysisPlan.Entry, of source: ReportSource)
    throws -> Table
  {
    // A test of a single look must not decide at any look; a sequential one is a plan of its own.
    var own = entry
    own.baseline = plan.baseline ?? entry.baseline
    if plan.method.isSequential { own.stopping = .everyLook }
    let isDivided = table.columns.contains { $0.name == "dimension" }
    let whole = source.undivided
    let comparison =
      isDivided
      ? nil
      : plan.method.isSequential
        ? try PlannedComparison(own, table, plan, whole) : try PlannedComparison(own, whole, like: plan)
    var level = plan
    let paces =
      try comparison?.paces
      ?? (own.stopping == .everyLook ? [:] : RecruitmentPace.paces(of: whole, own, &level, sharesLevel: false))
    var wide = try Table(
      name: table.name, title: table.title,
      columns: table.columns + Self.recommendationColumns)
    let table = try (comparison.map { try replacing(table, by: $0) } ?? table)
      .withoutEarlyTests(paces, own.stopping)
    for (cells, row) in zip(NamedCells.rows(of: table), table.rows) {
      let own = comparison?.decisions.first { $0.isOf(cells) }
      try wide.append(
        row: Array(row) + [
          TableCell(own?.recommendation.action.rawValue),
          own?.until?.cell ?? .empty,
          TableCell(own?.recommendation.reason),
        ])
    }
    for note in table.notes { wide.note(note.name, note.value) }
    (wide.method, wide.cards) = (table.method, comparison?.cards ?? [])
    return wide
  }

  /// Returns the table with the rows by which the plan decides, in place of those of the default test: these would say
  /// another thing at looks that were not planned. A method that was asked for stays.
  private func replacing(_ table: Table, by comparison: PlannedComparison) throws -> Table {
    guard plan.method == ComparisonPlan().method, plan.margin == nil, !plan.isPostStratified,
      comparison.table.columns.map(\.name) == table.columns.map(\.name)
    else { return table }
    let own = Dictionary(
      zip(NamedCells.rows(of: comparison.table).map { PlannedComparison.RowKey($0) }, comparison.table.rows)
    ) { first, _ in first }
    var planned = try table.replacingRows { cells, row in
      own[PlannedComparison.RowKey(cells)].map { Array($0) } ?? row
    }
    let rule = comparison.entry.stopping.text(comparison.methods)
    planned.note("planned", "the rows of the goal metric and the guardrails are of the plan's test: \(rule)")
    planned.method = TableMethod(
      "decides \(rule); level \(NumberText.readable(plan.alpha)) for each metric, divided by the number of variants "
        + "but the baseline", report: table.method?.report)
    return planned
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
