internal import Tables

extension ConversionReport {
  /// Returns the table with the variants of the highest conversion rates, and the method.
  func answered(_ table: Table) -> Table {
    var table = table
    let rows = AnswerRows(table)
    let leaders = LeaderAnswer(
      rows, groups: rows.groups(besides: ["variant"]), .init("conversion_rate"), as: .share)
    table.answer =
      rows.indices.isEmpty
      ? [AnswerText.nothing]
      : leaders.sentences("conversion rate", level: level) + leaders.advice
    table.method = TableMethod(
      "units by their first exposure; Wilson interval of the rate, \(Percent.text(level))",
      report: Self.name)
    return table
  }
}
