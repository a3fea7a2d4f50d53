internal import Replay
public import Tables

extension RegretReport {
  /// Adds what was lost, and the method.
  public func summarize(_ table: inout Table) {
    let contexts =
      rules.means == .plain && table.notes.contains { $0.name == "logged_propensities" }
      ? "; logged propensities change, and where they follow the context these means are of different situations, "
        + "which --means snips corrects" : ""
    let rows = AnswerRows(table)
    let problems = Self.problems(rows)
    if rows.indices.isEmpty {
      table.answer = [AnswerText.nothing]
    } else {
      table.answer = AnswerText.answer(
        problems + (decomposes ? byVariant(rows) : losses(rows)) + [
          "Hindsight takes the best of several means, which is too high on average, and so is the regret\(contexts)."
        ])
    }
    let interval = rules.hasIntervals ? "; interval \(Percent.text(rules.level))" : ""
    table.method = TableMethod(
      "best mean of the whole log less that of the variant chosen, means \(rules.means.rawValue)\(interval)",
      report: Self.name)
  }

  private var metric: Metric { rules.attribution.metric.metric }

  private var words: MetricWords { MetricWords(metric) }

  /// Returns where there is no regret, and why.
  private static func problems(_ rows: AnswerRows) -> [String] {
    let groups = rows.groups(besides: ["variant", "t"]).compactMap { group -> String? in
      let status = rows.text(group.rows[0], "status")
      return status == "ok" ? nil : "\(group.name) (\(status))"
    }
    return groups.isEmpty ? [] : ["No regret is known of \(AnswerText.list(groups))."]
  }

  /// Returns what the decisions of each place lost.
  private func losses(_ rows: AnswerRows) -> [String] {
    let ends = rows.groups(besides: ["t"]).compactMap { group -> (name: String, row: Int)? in
      guard let row = group.rows.last, rows.number(row, "regret") != nil else { return nil }
      return (group.name, row)
    }
    guard ends.count > 2 else { return ends.map { loss($0.name, $0.row, rows) } }
    let list = ends.map { end in
      "\(end.name) \(words.answer(rows.number(end.row, "regret") ?? 0, isSum: true))"
    }
    let noun = words.noun(or: "reward")
    let lost = "\(noun.prefix(1).uppercased())\(noun.dropFirst()) lost against always choosing the best variant"
    return ["\(lost): \(AnswerText.list(list, most: 6))."]
  }

  private func loss(_ place: String, _ row: Int, _ rows: AnswerRows) -> String {
    let number = { (column: String) in
      rows.number(row, column).map { words.answer($0, isSum: column != "regret_per_decision") } ?? "?"
    }
    let name = metric.label.map { " in \($0.words)" } ?? ""
    let hasInterval = rows.number(row, "ci_low") != nil && rows.number(row, "ci_high") != nil
    let interval =
      hasInterval
      ? " (\(Percent.text(rules.level)) interval \(number("ci_low")) to \(number("ci_high")))" : ""
    return
      "\(place): \(AnswerText.count(rows.count(row, "decisions"), "decision")) lost "
      + "\(number("regret"))\(name)\(interval) against always choosing "
      + "\(AnswerText.name(rows.text(row, "best_variant"))), \(number("regret_per_decision")) each."
  }

  /// Returns the variant that caused most of the regret of each place.
  private func byVariant(_ rows: AnswerRows) -> [String] {
    let worst = rows.groups(besides: ["variant"]).compactMap { group -> String? in
      let shares = group.rows.compactMap { row in
        rows.number(row, "regret_share").map { (row: row, share: $0) }
      }
      guard let most = shares.max(by: { $0.share < $1.share }), most.share > 0 else { return nil }
      return
        "\(group.name) \(AnswerText.name(rows.text(most.row, "variant"))) (\(AnswerText.share(most.share)))"
    }
    return worst.isEmpty
      ? ["No regret: every decision chose a best variant."]
      : ["Most of the regret comes from \(AnswerText.list(worst, most: 6))."]
  }
}
