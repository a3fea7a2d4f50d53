internal import Replay
internal import Specifications
internal import Tables

/// The card of an experiment whose policy learned, made of its rows in the report `adaptive`.
struct AdaptiveCard {
  private let rows: [NamedCells]
  private let metric: Metric
  private let level: Double
  /// Which means are better.
  private let direction: Metric.Direction

  /// What stands on the card and in no column, in the words of `explain`.
  static let words = [
    Explanation.Entry(
      "earns most, has the least, leads, ahead",
      "of the variants with an interval the one of the best mean; it is ahead of all others where its interval is "
        + "better than theirs, and leads until then. Its amount against the next is that of the two means",
      source: "definition"),
    Explanation.Entry(
      "too few decisions, not always available, probabilities do not fit the choices",
      "why there is no interval, or of which decisions a mean is: the rules are those of status", source: "definition"),
  ]

  /// Returns the cards of a table, one for each place.
  static func cards(of table: Table, _ metric: Metric, level: Double) -> [TableCard] {
    NamedCells.byPlace(of: table).compactMap { AdaptiveCard($0.rows, metric, level).card }
  }

  private init(_ rows: [NamedCells], _ metric: Metric, _ level: Double) {
    self.metric = metric
    let direction = rows.first?.text("direction").flatMap(Metric.Direction.init) ?? .higher
    self.direction = direction
    // Few decisions can have any mean: variants with an interval come first.
    let ranked = rows.map { row in
      (row, row.number("ci_low") == nil ? 0 : 1, row.number("aw_mean").map { direction.sign * $0 } ?? -.infinity)
    }
    self.rows = ranked.sorted { a, b in
      guard a.1 == b.1, a.2 == b.2 else { return (a.1, a.2) > (b.1, b.2) }
      return NaturalOrder.precedes(a.0.text("variant") ?? "", b.0.text("variant") ?? "")
    }.map(\.0)
    self.level = level
  }

  private var card: TableCard? {
    guard let best = rows.first, !isValid || best.number("aw_mean") != nil, let table = try? table() else {
      return nil
    }
    let more = rows.count - ResultCard.mostVariants
    return TableCard(
      experiment: best.text("experiment") ?? "", title: best.placeName,
      facts: [AnswerText.count(Int(decisions), "decision")],
      headline: headline(best), tone: !isValid ? .invalid : isApart ? .good : nil, table: table,
      lines: [TableCard.Line("Trust", trust), TableCard.Line("Next", next(best))]
        + (more > 0 ? [TableCard.Line("More", "\(AnswerText.count(more, "variant")) more in report adaptive")] : []))
  }

  private var decisions: Double { rows.reduce(0) { $0 + ($1.number("decisions") ?? 0) } }

  // MARK: Which one

  /// Whether all means are of the same decisions.
  private var isComparable: Bool { !rows.contains { AdaptiveRow.limited.contains($0.text("status") ?? "") } }

  /// Whether the interval of the best variant is better than those of all others.
  private var isApart: Bool {
    let (near, far) = direction == .lower ? ("ci_high", "ci_low") : ("ci_low", "ci_high")
    guard isComparable, rows.count > 1, let end = rows.first?.number(near) else { return false }
    return rows.dropFirst().allSatisfy { row in
      row.number(far).map { direction.sign * $0 < direction.sign * end } ?? false
    }
  }

  private func headline(_ best: NamedCells) -> String {
    guard isValid else { return "Not valid: \(choices)." }
    guard isComparable else {
      return "Not compared: variants were not always available, so that their means are of different decisions."
    }
    guard best.number("ci_low") != nil else {
      return "Too early: no variant has an interval (\(best.text("status") ?? ""))."
    }
    guard rows.count > 1 else { return "Only \(name(best)) was chosen: \(mean(best))." }
    let share = (best.number("decisions") ?? 0) / max(1, decisions)
    let place =
      isApart
      ? "\(name(best)) \(direction == .lower ? "has the least" : "earns most"):"
      : "No winner yet: \(name(best)) leads with"
    return "\(place) \(mean(best))\(lead(best)); \(AnswerNumber.percent(share)) of decisions chose \(name(best))."
  }

  /// Returns the mean of a variant with its interval.
  private func mean(_ row: NamedCells) -> String {
    let interval = AnswerNumber.interval(row.number("ci_low"), row.number("ci_high"), text)
    let noun = MetricWords(metric).noun(or: "a reward")
    return "\(noun) of \(row.number("aw_mean").map(text) ?? "") per decision"
      + (interval.map { " (\(Percent.text(level)) interval \($0))" } ?? "")
  }

  /// By how much the best mean is ahead of the next, such as `, 35 % more than the next, "editorial"`: as a part of the
  /// next where that is surely above 0.
  private func lead(_ best: NamedCells) -> String {
    let next = rows[1]
    guard let mean = best.number("aw_mean"), let other = next.number("aw_mean"), let low = next.number("ci_low") else {
      return ""
    }
    guard mean != other else { return ", as much as the next, \(name(next))" }
    let amount = low > 0 ? AnswerNumber.percent((mean / other - 1).magnitude) : text((mean - other).magnitude)
    return ", \(amount) \(mean < other ? "less" : "more") than the next, \(name(next))"
  }

  private func name(_ row: NamedCells) -> String { "\"\(row.text("variant") ?? "")\"" }

  /// Returns a mean, with decimals and unit if the metric has a name.
  private func text(_ mean: Double) -> String {
    metric.label == nil ? AnswerNumber.number(mean) : MetricWords(metric).mean(mean)
  }

  // MARK: Trust

  private var isValid: Bool { !rows.contains { $0.text("status") == AdaptiveRow.misfit } }

  /// What the test of the choices against their probabilities found; nil without a test.
  private var fit: (pValue: Double, verdict: HealthVerdict)? {
    rows.compactMap { $0.number("propensity_p_value") }.min().map { ($0, PValueRule.usual.verdict($0)) }
  }

  private var choices: String {
    guard let fit else { return "too few decisions to test the probabilities" }
    return "the policy \(fit.verdict == .ok ? "chose" : "did not choose") variants as often as its probabilities say "
      + "(\(AnswerNumber.pValue(fit.pValue)))"
  }

  /// Whether the means can be believed: yes, no or with care, and why.
  private var trust: String {
    guard isValid else { return "no: \(choices)" }
    let open = rows.filter { $0.number("ci_low") == nil }
    if let first = open.first {
      let others = open.count > 1 ? ", and of \(open.count - 1) more" : ""
      return "with care: no interval of \(name(first)) (\(first.text("status") ?? ""))\(others) · \(choices)"
    }
    return (isComparable && fit?.verdict == .ok ? "yes" : "with care")
      + ": \(choices); a unit may have several variants, as each decision counts"
  }

  private func next(_ best: NamedCells) -> String {
    guard isValid else { return "do not use these numbers; log the probabilities by which the policy chooses" }
    guard isComparable else { return "compare two variants by the decisions that had both: report adaptive --baseline" }
    guard rows.count > 1 else { return "nothing, until there is something to compare" }
    return isApart
      ? "let the policy go on, or give \(name(best)) to everyone"
      : "let the policy go on learning, until one variant is clearly ahead"
  }

  // MARK: Table

  private func table() throws(TableError) -> Table {
    var table = try Table(
      name: "card", title: "",
      columns: [
        .measure("variant", .text, "what was chosen"),
        .measure("decisions", .integer, "decisions that chose it"),
        .measure("share", .text, "its share of all decisions"),
        .measure("mean", .text, "adaptively weighted mean reward of a decision"),
        .measure("interval", .text, "its confidence interval"),
      ])
    for row in rows.prefix(ResultCard.mostVariants) {
      let ends = (row.number("ci_low"), row.number("ci_high"))
      let interval: String? =
        if case (let low?, let high?) = ends {
          "\(text(low)) to \(text(high))"
        } else { row.text("status") }
      let decisions = row.number("decisions") ?? 0
      try table.append(row: [
        .text(row.text("variant") ?? ""), .integer(Int(decisions)),
        .text(AnswerNumber.percent(decisions / max(1, self.decisions))),
        TableCell(isValid ? row.number("aw_mean").map(text) : nil), TableCell(isValid ? interval : "not valid"),
      ])
    }
    return table
  }
}
