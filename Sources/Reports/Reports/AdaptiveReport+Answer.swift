public import Plots
internal import Replay
internal import Specifications
public import Tables

extension AdaptiveReport {
  /// Adds the variants of the highest means, and the method.
  public func summarize(_ table: inout Table) {
    let rows = AnswerRows(table)
    let groups = rows.groups(besides: ["variant", "baseline"])
    let metric = plan.attribution.metric.metric
    let words = MetricWords(metric)
    let missing = groups.compactMap { group -> String? in
      guard group.rows.allSatisfy({ rows.number($0, "aw_mean") == nil }) else { return nil }
      return "\(group.name) (\(rows.text(group.rows[0], "status")))"
    }
    // A plan may have metrics of either direction.
    let leaders = [false, true].flatMap { isLowest in
      let own = groups.filter {
        (rows.text($0.rows[0], "direction") == Metric.Direction.lower.rawValue) == isLowest
      }
      return LeaderAnswer(
        rows, groups: own, .init("aw_mean"), lowest: isLowest, text: metric.label.map { _ in { words.mean($0) } }
      ).sentences("adaptively weighted mean \(words.noun(or: "reward"))", level: plan.level)
    }
    let problems = missing.isEmpty ? [] : ["Nothing is estimated of \(AnswerText.list(missing))."]
    table.answer =
      rows.indices.isEmpty
      ? [AnswerText.nothing]
      : AnswerText.answer(
        problems + leaders + differences(rows))
    table.cards = AdaptiveCard.cards(of: table, metric, level: plan.level)
    table.method = TableMethod(
      "\(plan.allocation.description); t intervals, \(Percent.text(plan.level))",
      report: Self.name)
  }

  /// Returns how many variants differ from the baseline: each is one test, uncorrected.
  private func differences(_ rows: AnswerRows) -> [String] {
    let tested = rows.indices.filter { rows.number($0, "p_value") != nil }
    guard !tested.isEmpty else { return [] }
    let alpha = 1 - plan.level
    let found = tested.count { (rows.number($0, "p_value") ?? 1) < alpha }
    return [
      "Of \(AnswerText.count(tested.count, "difference")) to a baseline, \(found) \(found == 1 ? "has" : "have") a "
        + "p-value below \(NumberText.readable(alpha, digits: 3)), without correction for their number."
    ]
  }
}

extension AdaptiveReport {
  public static let notebookCode: String? = NotebookCode.intervals(
    "adaptive", "aw_mean", of: "point", "slot", "variant")

  public static func figures(of table: FigureTable) -> [Figure] {
    let axis = PlotAxis("mean reward of a decision")
    let plot = table.variants(axis, value: "aw_mean", count: "decisions", verdict: "status")
    return plot.figures(
      name: "adaptive", title: "Reward by variant under adaptive allocation",
      description: "The adaptively weighted mean reward of each variant (dot) with its confidence "
        + "interval (line), which holds although a policy learned while the log was written.")
  }
}
