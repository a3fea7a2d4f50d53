public import Plots
internal import Replay
internal import Specifications
internal import Statistics
public import Tables

extension QuantileReport {
  /// Adds the variants of the highest quantiles, and the method.
  public func summarize(_ table: inout Table) {
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
      let leaders =
        named.map { LeaderAnswer(rows, groups: groups, .init("value"), of: $0) }
        ?? LeaderAnswer(rows, groups: groups, .init("value"))
      let what = named?.label?.words ?? "value"
      table.answer =
        leaders.sentences(
          "\(what), at the least quantile at which variants differ", level: level)
        + leaders.advice
    }
    table.method = TableMethod(
      "exact quantiles, type \(type.rawValue); intervals by order statistics, at least "
        + Percent.text(level), report: Self.name)
  }
}

extension QuantileReport {
  public static func figures(of table: FigureTable) -> [Figure] {
    table.variants(PlotAxis("value"), value: "value", count: "units")
      .figures(
        name: "quantiles", title: "Quantiles by variant",
        description: "The quantile of each variant (dot) with its confidence interval (line).")
  }
}
