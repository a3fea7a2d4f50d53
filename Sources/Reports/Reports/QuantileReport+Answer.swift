internal import Specifications
internal import Statistics
internal import Tables

extension QuantileReport {
  /// Returns the table with the variants of the highest quantiles, and the method.
  func answered(_ table: Table) -> Table {
    var table = table
    let rows = AnswerRows(table)
    let telling = rows.groups(besides: ["variant"]).filter { group in
      Set(group.rows.compactMap { rows.number($0, "value") }).count > 1
    }
    // Of the quantiles of an experiment and metric, the least at which the variants differ.
    var seen: Set<[NameKey]> = []
    let groups = telling.filter { group in
      let row = group.rows[0]
      return seen.insert(
        ["experiment", "metric", "dimension", "dimension_value"].map {
          NameKey(rows.text(row, $0))
        }
      ).inserted
    }
    if rows.indices.isEmpty {
      table.answer = [AnswerText.nothing]
    } else if groups.isEmpty {
      table.answer = ["No quantile differs between variants."]
    } else {
      let leaders = LeaderAnswer(rows, groups: groups, .init("value"))
      table.answer =
        leaders.sentences(
          "value, at the least quantile at which variants differ", level: level)
        + leaders.advice
    }
    table.method = TableMethod(
      "exact quantiles, type \(type.rawValue); intervals by order statistics, at least "
        + Percent.text(level), report: Self.name)
    return table
  }
}
