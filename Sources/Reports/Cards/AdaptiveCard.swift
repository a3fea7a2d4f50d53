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

  /// Returns the cards of a table, one for each place.
  static func cards(of table: Table, _ metric: Metric, level: Double) -> [TableCard] {
    NamedCells.byPlace(of: table).compactMap { AdaptiveCard($0.rows, metric, level).card }
  }

  private init(_ rows: [NamedCells], _ metric: Metric, _ level: Double) {
    self.metric = metric
    let direction = rows.first?.text("direction").flatMap(Metric.Direction.init) ?? .higher
    self.direction = direction
    self.rows = rows.sorted { a, b in
      let (first, second) = (Self.gain(a, direction), Self.gain(b, direction))
      guard first == second else { return (first ?? -.infinity) > (second ?? -.infinity) }
      return NaturalOrder.precedes(a.text("variant") ?? "", b.text("variant") ?? "")
    }
    self.level = level
  }

  private static func gain(_ row: NamedCells, _ direction: Metric.Direction) -> Double? {
    row.number("aw_mean").map { direction.sign * $0 }
  }

  private var card: TableCard? {
    guard let best = rows.first, best.number("aw_mean") != nil, let table = try? table() else {
      return nil
    }
    return TableCard(
      experiment: best.text("experiment") ?? "", title: best.placeName,
      facts: [AnswerText.count(Int(decisions), "decision")], headline: headline(best),
      tone: isApart ? .good : nil, table: table,
      lines: [
        TableCard.Line(
          "Trust", "means are weighted for a policy that learned; plain means of it would be biased"),
        TableCard.Line("Next", next(best)),
      ])
  }

  private var decisions: Double { rows.reduce(0) { $0 + ($1.number("decisions") ?? 0) } }

  /// Whether the interval of the best variant is better than those of all others.
  private var isApart: Bool {
    let (near, far) = direction == .lower ? ("ci_high", "ci_low") : ("ci_low", "ci_high")
    guard let end = rows.first?.number(near) else { return false }
    return rows.count > 1
      && rows.dropFirst().allSatisfy { row in
        row.number(far).map { direction.sign * $0 < direction.sign * end } ?? false
      }
  }

  /// Returns a mean, with decimals and unit if the metric has a name.
  private func text(_ mean: Double) -> String {
    metric.label == nil ? AnswerNumber.number(mean) : MetricWords(metric).mean(mean)
  }

  private func headline(_ best: NamedCells) -> String {
    let mean = best.number("aw_mean").map(text) ?? ""
    let interval =
      switch (best.number("ci_low"), best.number("ci_high")) {
      case (let low?, let high?):
        " (\(Percent.text(level)) interval \(text(low)) to \(text(high)), valid under "
          + "adaptive allocation)"
      default: ""
      }
    let share = (best.number("decisions") ?? 0) / max(1, decisions)
    let name = metric.label.map { "\($0.words) of " } ?? ""
    let place = (direction == .lower ? "has the least" : "earns most") + (isApart ? "" : " so far")
    return
      "\"\(best.text("variant") ?? "")\" \(place): \(name)\(mean) per decision\(interval); "
      + "\(AnswerNumber.percent(share)) of decisions chose it."
  }

  private func next(_ best: NamedCells) -> String {
    isApart
      ? "let the policy go on, or give \"\(best.text("variant") ?? "")\" to everyone"
      : "let the policy go on learning; no variant is ahead of all others yet"
  }

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
        TableCell(row.number("aw_mean").map(text)), TableCell(interval),
      ])
    }
    return table
  }
}
