public import Plots
internal import Replay
internal import Specifications
public import Tables

extension ConversionReport {
  /// Adds the variants of the highest conversion rates, and the method.
  public func summarize(_ table: inout Table) {
    let rows = AnswerRows(table)
    let lacking = table.experimentsWithGoalsOnly
    let reversed = isSum ? [] : reversed(rows)
    let leaders = leaders(rows, without: lacking, reversed.map(\.name))
    let isEmpty = rows.indices.isEmpty && lacking.isEmpty
    table.answer = AnswerText.answer(
      Self.hint(lacking) + Self.hint(reversed: reversed.map(\.name))
        + (isEmpty ? [AnswerText.nothing] : leaders.sentences(noun, level: level) + leaders.advice))
    table.method = TableMethod(
      "units by their first exposure; Wilson interval of the rate, \(Percent.text(level))",
      report: Self.name)
  }

  /// Whether a metric sums up what goals or conversions are worth.
  var isSum: Bool { metric.map { $0.term.count == .reward || $0.term.count == .revenue } ?? false }

  /// What leaders have most of: the metric, unless it counts goals or conversions, of which units with any are told.
  private var noun: String {
    let title = metric?.label?.words
    if isSum { return title ?? "revenue per unit" }
    return metric?.isBinary == true ? title ?? "conversion rate" : "conversion rate"
  }

  /// Says which experiments have goals where they have no conversions, in a sentence; none if no experiment has.
  private static func hint(_ experiments: [String]) -> [String] {
    guard !experiments.isEmpty else { return [] }
    let only = experiments.count == 1 ? "it has goals" : "they have goals"
    return ["No conversion counts in \(AnswerText.list(experiments)), but \(only): --of goals counts these."]
  }

  /// Says of which goals all conversions are negative, in a sentence; none if there are no such goals.
  private static func hint(reversed goals: [String]) -> [String] {
    guard !goals.isEmpty else { return [] }
    let have = goals.count == 1 ? "has" : "have"
    return [
      "\(AnswerText.list(goals)) \(have) only negative conversions, which make no converter: see conversions and "
        + "revenue_mean, or --metric revenue."
    ]
  }

  /// The groups of variants with conversions that are all negative: no unit converted.
  private func reversed(_ rows: AnswerRows) -> [AnswerRows.Group] {
    rows.groups(besides: ["variant"]).filter { group in
      group.rows.allSatisfy { rows.count($0, "converters") == 0 }
        && group.rows.contains { rows.count($0, "conversions") > 0 }
    }
  }

  private func leaders(
    _ rows: AnswerRows, without lacking: [String], _ reversed: [String]
  ) -> LeaderAnswer {
    let (lacking, reversed) = (Set(lacking.map(NameKey.init)), Set(reversed.map(NameKey.init)))
    let groups = rows.groups(besides: ["variant"]).filter { group in
      !reversed.contains(NameKey(group.name))
        && !lacking.contains(NameKey(AnswerText.name(rows.text(group.rows[0], "experiment"))))
    }
    if isSum, let metric {
      return LeaderAnswer(
        rows, groups: groups, .init("revenue_mean", low: "revenue_ci_low", high: "revenue_ci_high"), of: metric)
    }
    return LeaderAnswer(
      rows, groups: groups, .init("conversion_rate"), lowest: metric?.direction == .lower, as: .share)
  }
}

extension ConversionReport {
  public static let notebookCode: String? = NotebookCode.intervals(
    "conversions", "conversion_rate", of: "goal", "variant")

  public static func figures(of table: FigureTable) -> [Figure] { rates(table) + revenue(table) }

  private static func rates(_ table: FigureTable) -> [Figure] {
    let axis = PlotAxis("conversion rate", unit: .percent)
    return table.variants(axis, value: "conversion_rate", count: "units").figures(
      name: "conversions", title: "Conversion rate by variant",
      description:
        "The share of the units of each variant that converted (dot) with its confidence "
        + "interval (line) by Wilson's method.")
  }

  private static func revenue(_ table: FigureTable) -> [Figure] {
    // Goals that are worth nothing have no revenue to compare.
    let worthless = table.panels(except: ["variant"]).filter { panel in
      !panel.rows.contains { $0.number("revenue_sum") ?? 0 != 0 }
    }.map(\.title)
    var plot = table.variants(
      PlotAxis("revenue per unit"), value: "revenue_mean", low: "revenue_ci_low",
      high: "revenue_ci_high", count: "units")
    plot.panels.removeAll { worthless.contains($0.title) }
    guard !plot.panels.isEmpty else { return [] }
    return plot.figures(
      name: "revenue", title: "Revenue by variant",
      description:
        "The mean revenue of the units of each variant (dot), those that did not convert "
        + "included, with its confidence interval (line); n is the number of units.")
  }
}
