internal import Events
internal import Replay
internal import Tables

/// The first sentence of a card and its last line: which one, by how much, how sure, and what to do next.
struct CardHeadline {
  let card: ResultCard
  let metric: Metric
  private(set) var sentence = ""
  private(set) var tone: TableCard.Tone?
  /// What to do next, in the words of the plan.
  private(set) var next = ""

  init(_ card: ResultCard) {
    self.card = card
    metric = card.context.metrics.first ?? Metric(.reward)
    if let damaged = card.goal.first(where: { ComparisonAnswer.verdict($0) == .notValid }) {
      sentence = "Not valid: \(reason(damaged))."
      (tone, next) = (.invalid, Self.remedy(of: damaged))
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
      gain("\(name(best)) is better: \(change(best))", of: best, next: shipping(best))
    } else if let other = largest(
      among: rows.filter { [.higher, .lower].contains(ComparisonAnswer.verdict($0)) })
    {
      sentence = "\(name(other)) is \(other.text("verdict") ?? ""): \(change(other))."
      next = "decide by another metric, or say which side of this one is better (--direction)"
    } else if let kept = best(among: rows.filter { ComparisonAnswer.verdict($0) == .marginKept }) {
      gain(
        "\(name(kept)) is not worse by more than the margin\(margin): \(difference(kept))", of: kept,
        next: "\(name(kept)) may take the place of \(baseline(kept))")
    } else if let open = best(among: rows.filter { ComparisonAnswer.verdict($0) == .marginOpen }) {
      sentence = "\(name(open)) was not shown to be within the margin\(margin): \(difference(open))."
      next = "keep \(baseline(open)), or wait for more units"
    } else if let worse = worst(among: rows.filter { ComparisonAnswer.verdict($0) == .worse }) {
      let others = rows.filter { ComparisonAnswer.verdict($0) == .noDifference }
      sentence =
        others.isEmpty
        ? "Keep \(baseline(worse)): with \(name(worse)) \(change(worse))."
        : "\(name(worse)) is worse: \(change(worse)); no difference found of \(names(others))."
      (tone, next) = (.bad, "keep \(baseline(worse))")
    } else if let open = rows.first(where: { ComparisonAnswer.verdict($0) == .noDifference }) {
      sentence = nothingFound
      next =
        range == nil
        ? "wait for more units; report power says how many"
        : "keep \(baseline(open)); go on only if a smaller effect matters: report power has the units"
    } else if let early = rows.first(where: { ComparisonAnswer.verdict($0) == .tooEarly }) {
      sentence = "Not enough data: \(reason(early))."
      next = "wait for more units; report power says how many"
    } else {
      sentence = "Nothing to compare: \(rows.first.map(reason) ?? "there are no units")."
      next = rows.first.map(Self.remedy) ?? "wait for the first units"
    }
  }

  /// Says what a variant gains and what speaks against what would be next: what it loses in other metrics, and refunds.
  private mutating func gain(_ words: String, of row: NamedCells, next step: String) {
    let losses = losses(of: row)
    let hasRefunds = ComparisonAnswer.warnings(of: row).contains { $0.hasPrefix(VerdictFinding.refunds) }
    let doubts = losses + (hasRefunds ? ["refunds count as conversions in it"] : [])
    sentence = words + (doubts.isEmpty ? "." : ", but \(AnswerText.list(doubts)).")
    guard !doubts.isEmpty else { return (tone, next) = (.good, step) }
    next = losses.isEmpty ? "compare converted and revenue first: refunds are in these conversions" : weighing(row)
  }

  private var margin: String {
    card.context.plan.margin.map { " of \(MetricWords(metric).difference($0).drop { $0 == "+" })" } ?? ""
  }

  // MARK: By the plan

  private mutating func decide() {
    let decisions = card.decisions
    let having = { (action: Recommendation.Action) in
      decisions.filter { $0.recommendation.action == action }
    }
    let ship = best(among: having(.ship).map(\.row))
    next = steps(decisions, ship)
    if let ship {
      let rest = card.unproven(by: ship).map { ", but \($0)" } ?? ""
      (sentence, tone) = ("Ship \(name(ship)): \(change(ship))\(rest).", .good)
    } else if let held = (having(.rollBack) + having(.keepRunning)).first(where: {
      ComparisonAnswer.verdict($0.row) == .better
    }) {
      let why = card.broken(by: held.row) ?? card.untested(by: held.row) ?? held.recommendation.reason
      let yet = held.recommendation.action == .rollBack ? "" : " yet"
      sentence = "Do not ship \(name(held.row))\(yet): \(change(held.row)), but \(why)."
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
    } else if let stopped = having(.stop).first {
      sentence = isUntested ? "Nothing was tested: \(reason(stopped.row))." : nothingFound
    } else {
      sentence = "Not valid: \(decisions.first?.recommendation.reason ?? "there are no units")."
      tone = .invalid
    }
  }

  /// Whether no variant has a test.
  var isUntested: Bool { card.goal.allSatisfy { ComparisonAnswer.verdict($0)?.isTested == false } }

  private func waiting(_ decision: PlannedDecision) -> String {
    let isEarly = ComparisonAnswer.verdict(decision.row) == .tooEarly
    let lead = isEarly ? "Too early" : "No difference found yet"
    guard !isEarly || decision.isEarly else {
      return "\(lead): \(reason(decision.row)); see the counts below."
    }
    guard let needed = decision.unitsNeeded, let days = decision.daysLeft else {
      let reason = decision.recommendation.reason
      return isEarly ? "\(lead): \(ComparisonAnswer.words(reason))." : "\(lead): \(effect ?? reason)."
    }
    let wait =
      card.hasLooks
      ? "the next look is in \(AnswerText.count(days, "day"))"
      : "\(AnswerText.count(days, "more day")) at today's traffic"
    let units = decision.units
    guard units < needed || card.hasLooks else {
      return "\(lead): \(AnswerNumber.number(needed)) units are there, and are tested when their last day is over."
    }
    let found = isEarly ? "" : effect.map { $0 + "; " } ?? ""
    // Without planned units those needed follow the baseline's mean, which moves.
    let about = card.context.entry?.stopping == .everyLook ? "about " : ""
    return "\(lead): \(found)\(AnswerNumber.number(units)) of \(about)\(AnswerNumber.number(needed)) units are there, "
      + "\(wait)."
  }

  // MARK: Words

  func name(_ row: NamedCells) -> String { "\"\(row.text("variant") ?? "")\"" }

  func baseline(_ row: NamedCells) -> String { "\"\(row.text("baseline") ?? "")\"" }

  private func change(_ row: NamedCells) -> String {
    MetricWords(metric).change(row.number("lift"), row.number("difference")) + interval(row)
  }

  /// Returns the difference in the unit of a margin.
  private func difference(_ row: NamedCells) -> String {
    let words = MetricWords(metric)
    let difference = row.number("difference").map(words.difference) ?? "unknown"
    return "the difference in \(words.subject) is \(difference)\(interval(row, ofLift: false))"
  }

  /// Returns how a variant changes the other metrics in which it is worse than its baseline.
  private func losses(of row: NamedCells) -> [String] {
    card.context.metrics.dropFirst().compactMap { other in
      ResultCard.rows(card.rows, of: other).first { $0.hasVariant(of: row) && ComparisonAnswer.verdict($0) == .worse }
        .map { MetricWords(other).change($0.number("lift"), $0.number("difference")) }
    }
  }

  private func interval(_ row: NamedCells, ofLift: Bool = true) -> String {
    let isLift = ofLift && row.number("lift") != nil
    let name = isLift ? "lift_" : ""
    let words = MetricWords(metric)
    let digits = AnswerNumber.endDigits
    let text = { (end: Double) in isLift ? AnswerNumber.percent(end, digits: digits) : words.difference(end) }
    let method = card.context.plan.method
    let look =
      method == .groupSequential
      ? ", valid at the planned looks" : method.isSequential ? ", valid at every look" : ""
    let ends = AnswerNumber.interval(
      row.number(name + "ci_low"), row.number(name + "ci_high"), text)
    return ends.map { " (\(intervalName([row])) \($0)\(look))" } ?? ""
  }

  /// Names the intervals of rows: those of single comparisons, whatever p-values are corrected for.
  private func intervalName(_ rows: [NamedCells]) -> String {
    let isCorrected = rows.contains { ComparisonAnswer.adjusted($0) != nil }
    return "\(isCorrected ? "uncorrected " : "")\(Percent.text(card.context.plan.level)) interval"
  }

  private var nothingFound: String {
    effect.map { "No difference found: \($0)." }
      ?? "No difference found; the intervals are too wide to rule out a large effect."
  }

  /// Where the effects without a verdict are; nil if the intervals are too wide.
  private var effect: String? {
    range.map {
      "the \(isLift ? "lift" : "difference")\(card.goal.count > 1 ? " of each variant" : "") in "
        + "\(MetricWords(metric).subject) is \($0) (\(intervalName(undecided)))"
    }
  }

  /// The variants without a verdict.
  private var undecided: [NamedCells] { card.goal.filter { ComparisonAnswer.verdict($0) == .noDifference } }

  private var isLift: Bool { undecided.allSatisfy { $0.number("lift") != nil } }

  /// Where the intervals of the variants without a verdict are, all together: of lifts, or of differences where a
  /// variant has no lift; nil if they are too wide.
  var range: String? {
    let (low, high) = isLift ? ("lift_ci_low", "lift_ci_high") : ("ci_low", "ci_high")
    let lows = undecided.compactMap { $0.number(low) }
    let highs = undecided.compactMap { $0.number(high) }
    // An interval of one side has the end of that side alone.
    let least = lows.count == undecided.count ? lows.min() : nil
    let greatest = highs.count == undecided.count ? highs.max() : nil
    let isWide = isLift && max(least?.magnitude ?? 0, greatest?.magnitude ?? 0) >= 1
    let text = { (end: Double) in
      isLift ? AnswerNumber.change(end, digits: AnswerNumber.endDigits) : MetricWords(metric).difference(end)
    }
    guard !isWide else { return nil }
    switch (least.map(text), greatest.map(text)) {
    case (let low?, let high?): return "between \(low) and \(high)"
    case (let low?, nil): return "above \(low)"
    case (nil, let high?): return "below \(high)"
    case (nil, nil): return nil
    }
  }

  func names(_ rows: [NamedCells]) -> String { AnswerText.list(rows.map(name)) }

  // MARK: Order

  private func gain(_ row: NamedCells) -> Double {
    metric.direction.sign * (row.number("difference") ?? 0)
  }

  private func best(among rows: [NamedCells]) -> NamedCells? { first(of: rows, by: gain) }

  private func worst(among rows: [NamedCells]) -> NamedCells? { first(of: rows) { -gain($0) } }

  private func largest(among rows: [NamedCells]) -> NamedCells? { first(of: rows) { gain($0).magnitude } }

  /// Returns the first of the rows with the greatest number.
  private func first(of rows: [NamedCells], by number: (NamedCells) -> Double) -> NamedCells? {
    rows.enumerated().max { a, b in
      let (first, second) = (number(a.element), number(b.element))
      return first == second ? a.offset > b.offset : first < second
    }?.element
  }
}
