public import Tables

extension PowerReport {
  /// Adds how many units and days are needed, and the method.
  public func summarize(_ table: inout Table) {
    let rows = AnswerRows(table)
    let missing = rows.indices.filter { rows.number($0, "units_needed") == nil }
    let known = rows.indices.filter { rows.number($0, "units_needed") != nil }
    var sentences: [String] = []
    if !missing.isEmpty {
      let list = missing.map { row in
        let name = place(row, rows)
        let status = rows.text(row, "status")
        return (name.isEmpty ? "" : "\(name) ") + "(\(status.isEmpty ? "no answer" : status))"
      }
      sentences.append("No sample size is known of \(AnswerText.list(list)).")
    }
    sentences += known.count > 2 ? summary(known, rows) : known.map { need($0, rows) }
    table.answer = rows.indices.isEmpty ? [AnswerText.nothing] : sentences
    table.method = TableMethod(
      "two groups of equal size, two-sided, one comparison; \(Percent.text(plan.power)) power at a level of "
        + Percent.text(plan.alpha), report: Self.name)
  }

  private func place(_ row: Int, _ rows: AnswerRows) -> String {
    let hasMetrics = Set(rows.indices.map { rows.text($0, "metric") }).count > 1
    let parts = ["experiment", "point", "slot", hasMetrics ? "metric" : ""].map {
      rows.text(row, $0)
    }
    .filter { !$0.isEmpty && $0 != "point-1" && $0 != "decision-1" }
    return parts.isEmpty ? "" : AnswerText.name(parts.joined(separator: "/"))
  }

  private var lift: String { Percent.text(plan.lift) }

  /// Returns what one experiment and metric need.
  private func need(_ row: Int, _ rows: AnswerRows) -> String {
    let name = place(row, rows)
    let days =
      rows.number(row, "days_needed").map { _ in
        "; at the present pace that takes \(AnswerText.count(rows.count(row, "days_needed"), "day")) in all"
      } ?? ""
    let smallest =
      rows.number(row, "smallest_lift").map {
        "; the units there are would show a lift of \(AnswerText.share($0))"
      } ?? ""
    return
      "\(name.isEmpty ? "" : "\(name): ")a lift of \(lift) takes "
      + "\(AnswerText.count(rows.count(row, "units_needed"), "unit")) per variant\(days)\(smallest)."
  }

  /// Returns the range of what many need.
  private func summary(_ known: [Int], _ rows: AnswerRows) -> [String] {
    let ordered = known.sorted { rows.count($0, "units_needed") < rows.count($1, "units_needed") }
    let ends = [ordered.first, ordered.last].compactMap { $0 }.map { row in
      "\(rows.count(row, "units_needed")) (\(place(row, rows)))"
    }
    var sentences = [
      "A lift of \(lift) takes from \(ends.joined(separator: " to ")) units per variant."
    ]
    let days = known.filter { rows.number($0, "days_needed") != nil }
    if let slowest = days.max(by: { rows.count($0, "days_needed") < rows.count($1, "days_needed") }
    ),
      let fastest = days.min(by: { rows.count($0, "days_needed") < rows.count($1, "days_needed") })
    {
      sentences.append(
        "At the present pace that is \(AnswerText.count(rows.count(fastest, "days_needed"), "day")) "
          + "(\(place(fastest, rows))) to \(AnswerText.count(rows.count(slowest, "days_needed"), "day")) "
          + "(\(place(slowest, rows))) in all.")
    }
    return sentences
  }
}
