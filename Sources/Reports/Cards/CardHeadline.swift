internal import Events
internal import Replay
internal import Tables

/// The first sentence of a card: which one, by how much, how sure.
struct CardHeadline {
  private let card: ResultCard
  private let metric: Metric
  private(set) var sentence = ""
  private(set) var tone: TableCard.Tone?

  init(_ card: ResultCard) {
    self.card = card
    metric = card.context.metrics.first ?? Metric(.reward)
    if let damaged = card.goal.first(where: { ComparisonAnswer.verdict($0) == .notValid }) {
      sentence = "Not valid: \(reason(damaged))."
      tone = .invalid
    } else if card.context.decisions.isEmpty {
      compare()
    } else {
      decide()
    }
  }

  /// The reason of a row without the advice behind it.
  private func reason(_ row: NamedCells) -> String {
    String(ComparisonAnswer.words(row.text("reason") ?? "").prefix { $0 != ";" })
  }

  // MARK: Without a plan

  private mutating func compare() {
    let rows = card.goal
    if let best = best(among: rows.filter { ComparisonAnswer.verdict($0) == .better }) {
      (sentence, tone) = ("\(name(best)) is better: \(change(best)).", .good)
    } else if let other = largest(
      among: rows.filter { [.higher, .lower].contains(ComparisonAnswer.verdict($0)) })
    {
      sentence = "\(name(other)) is \(other.text("verdict") ?? ""): \(change(other))."
    } else if let kept = rows.first(where: { ComparisonAnswer.verdict($0) == .marginKept }) {
      (sentence, tone) = (
        "\(name(kept)) is not worse by more than the margin: \(change(kept)).", .good
      )
    } else if let open = rows.first(where: { ComparisonAnswer.verdict($0) == .marginOpen }) {
      sentence = "\(name(open)) was not shown to be within the margin: \(change(open))."
    } else if let worse = worst(among: rows.filter { ComparisonAnswer.verdict($0) == .worse }) {
      let others = rows.filter { ComparisonAnswer.verdict($0) == .noDifference }
      sentence =
        others.isEmpty
        ? "Keep \(baseline(worse)): with \(name(worse)) \(change(worse))."
        : "\(name(worse)) is worse: \(change(worse)); no difference found of \(names(others))."
      tone = .bad
    } else if rows.contains(where: { ComparisonAnswer.verdict($0) == .noDifference }) {
      sentence = nothingFound
    } else if let early = rows.first(where: { ComparisonAnswer.verdict($0) == .tooEarly }) {
      sentence = "Not enough data: \(reason(early))."
    } else {
      sentence = "Nothing to compare: \(rows.first.map(reason) ?? "there are no units")."
    }
  }

  // MARK: By the plan

  private mutating func decide() {
    let decisions = card.context.decisions.filter { one in card.goal.contains { one.isOf($0) } }
    let having = { (action: Recommendation.Action) in
      decisions.filter { $0.recommendation.action == action }
    }
    if let ship = best(among: having(.ship).map(\.row)) {
      let rest = card.unproven(by: ship).map { ", but \($0)" } ?? ""
      (sentence, tone) = ("Ship \(name(ship)): \(change(ship))\(rest).", .good)
    } else if let held = (having(.rollBack) + having(.keepRunning)).first(where: {
      !$0.isEarly && ComparisonAnswer.verdict($0.row) == .better
    }) {
      let why = card.broken(by: held.row) ?? card.untested(by: held.row) ?? held.recommendation.reason
      sentence = "Do not ship \(name(held.row)) yet: \(change(held.row)), but \(why)."
      tone = .bad
    } else if let worse = having(.rollBack).first {
      let isGoal = ComparisonAnswer.verdict(worse.row) == .worse
      let why = isGoal ? change(worse.row) : card.broken(by: worse.row) ?? worse.recommendation.reason
      let others = having(.keepRunning) + having(.stop)
      sentence =
        others.isEmpty
        ? "Keep \(baseline(worse.row)): with \(name(worse.row)) \(why)."
        : "Roll back \(name(worse.row)): \(why); no difference found of \(names(others.map(\.row)))."
      tone = .bad
    } else if let open = having(.keepRunning).first {
      sentence = waiting(open)
    } else if !having(.stop).isEmpty {
      sentence = nothingFound
    } else {
      sentence = "Not valid: \(decisions.first?.recommendation.reason ?? "there are no units")."
      tone = .invalid
    }
  }

  private func waiting(_ decision: PlannedDecision) -> String {
    let until =
      decision.recommendation.until.map {
        "; keep running until \(decision.calendar.text($0).prefix { $0 != "T" })"
      } ?? ""
    let isEarly = decision.isEarly || ComparisonAnswer.verdict(decision.row) == .tooEarly
    let lead = isEarly ? "Too early" : "No difference found yet"
    guard ComparisonAnswer.verdict(decision.row) != .tooEarly || decision.isEarly else {
      return "\(lead): \(reason(decision.row)); see the counts below."
    }
    guard let needed = decision.unitsNeeded, !until.isEmpty else {
      return "\(lead): \(decision.recommendation.reason)."
    }
    let late = decision.isLate ? ", which is after the planned end" : ""
    return
      "\(lead): \(AnswerNumber.number(card.units)) of \(AnswerNumber.number(needed)) units are there\(until)\(late)."
  }

  // MARK: Words

  private func name(_ row: NamedCells) -> String { "\"\(row.text("variant") ?? "")\"" }

  private func baseline(_ row: NamedCells) -> String { "\"\(row.text("baseline") ?? "")\"" }

  private func change(_ row: NamedCells) -> String {
    MetricWords(metric).change(row.number("lift"), row.number("difference")) + interval(row)
  }

  private func interval(_ row: NamedCells) -> String {
    let isLift = row.number("lift") != nil
    let name = isLift ? "lift_" : ""
    let words = MetricWords(metric)
    let text = { (end: Double) in isLift ? AnswerNumber.percent(end) : words.difference(end) }
    let method = card.context.plan.method
    let look =
      method == .groupSequential
      ? ", valid at the planned looks" : method.isSequential ? ", valid at every look" : ""
    let ends = AnswerNumber.interval(
      row.number(name + "ci_low"), row.number(name + "ci_high"), text)
    return ends.map { " (\(Percent.text(card.context.plan.level)) interval \($0)\(look))" } ?? ""
  }

  /// What the intervals of the variants without a verdict rule out, all together.
  private var nothingFound: String {
    let level = Percent.text(card.context.plan.level)
    let rows = card.goal.filter { ComparisonAnswer.verdict($0) == .noDifference }
    let ends = rows.map { ($0.number("lift_ci_low"), $0.number("lift_ci_high")) }
    var widest = 0.0
    for case (let low?, let high?) in ends { widest = max(widest, low.magnitude, high.magnitude) }
    let isKnown = !ends.isEmpty && ends.allSatisfy { $0.0 != nil && $0.1 != nil }
    guard isKnown, widest < 1 else {
      return "No difference found; the intervals are too wide to rule out a large effect."
    }
    return
      "No difference found: an effect beyond ±\(AnswerNumber.percent(widest)) is ruled out at \(level)."
  }

  private func names(_ rows: [NamedCells]) -> String { AnswerText.list(rows.map(name)) }

  // MARK: Order

  private func effect(_ row: NamedCells) -> Double {
    metric.direction.sign * (row.number("difference") ?? 0)
  }

  private func best(among rows: [NamedCells]) -> NamedCells? { first(of: rows, by: effect) }

  private func worst(among rows: [NamedCells]) -> NamedCells? { first(of: rows) { -effect($0) } }

  private func largest(among rows: [NamedCells]) -> NamedCells? {
    first(of: rows) { effect($0).magnitude }
  }

  /// Returns the first of the rows with the greatest number.
  private func first(of rows: [NamedCells], by number: (NamedCells) -> Double) -> NamedCells? {
    rows.enumerated().max { a, b in
      let (first, second) = (number(a.element), number(b.element))
      return first == second ? a.offset > b.offset : first < second
    }?.element
  }
}
