internal import EventLog
internal import Events
internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

/// The card of an experiment at a point and slot, made of its rows in the report `compare`.
struct ResultCard {
  /// What a card needs to know besides the rows.
  struct Context {
    /// The metrics, that of the goal first.
    var metrics: [Metric]
    /// The comparison.
    var plan: ComparisonPlan
    /// What the experiment is to settle; nil without an analysis file.
    var entry: AnalysisPlan.Entry?
    /// What to do with each variant, by the plan.
    var decisions: [PlannedDecision] = []
    /// How far the experiment is, by place.
    var paces: [ReportPlace: RecruitmentPace] = [:]
    /// The time of the last event that was read; nil if it is not known.
    var asOf: String?

    /// Returns a time without seconds, such as `2026-03-14 09:00 +01:00`.
    private static func minute(_ time: String) -> String {
      let zone = time.hasSuffix("Z") ? "UTC" : String(time.suffix(6))
      return "\(time.prefix(10)) \(time.dropFirst(11).prefix(5)) \(zone)"
    }

    init(_ metrics: [Metric], _ plan: ComparisonPlan, _ source: ReportSource) {
      (self.metrics, self.plan) = (metrics, plan)
      asOf = source.asOf.map { Self.minute(source.calendar.text($0)) }
    }
  }

  /// The maximum number of variants of a card.
  static let mostVariants = 12

  let context: Context
  /// The rows, of all metrics, in the order in which people read variants.
  let rows: [NamedCells]
  /// The rows of the goal metric.
  let goal: [NamedCells]

  init(_ rows: [NamedCells], _ context: Context) {
    self.context = context
    self.rows = rows.enumerated().sorted { a, b in
      let (first, second) = (a.element.text("variant") ?? "", b.element.text("variant") ?? "")
      return first.isSameName(as: second)
        ? a.offset < b.offset : NaturalOrder.precedes(first, second)
    }.map(\.element)
    goal = Self.rows(self.rows, of: context.metrics.first)
  }

  static func rows(_ rows: [NamedCells], of metric: Metric?) -> [NamedCells] {
    rows.filter { $0.text("metric") == metric?.description }
  }

  /// Returns the cards of a table of `compare`, in natural order of the experiments.
  ///
  /// - Throws: `TableError` only if the column declarations are invalid.
  static func cards(of table: Table, _ context: Context) throws(TableError) -> [TableCard] {
    var cards: [TableCard] = []
    for (place, rows) in NamedCells.byPlace(of: table) {
      if let card = try ResultCard(rows, context).card(at: place) { cards.append(card) }
    }
    return cards
  }

  private func card(at place: ReportPlace) throws(TableError) -> TableCard? {
    guard let first = goal.first else { return nil }
    let words = CardHeadline(self)
    return TableCard(
      experiment: first.text("experiment") ?? "", title: first.placeName,
      facts: facts(context.paces[place]), headline: words.sentence, tone: words.tone,
      table: try table(), lines: lines)
  }

  // MARK: Facts

  /// The units of all variants in the goal metric.
  var units: Double {
    goal.reduce(goal.first?.number("baseline_units") ?? 0) { $0 + ($1.number("units") ?? 0) }
  }

  private func facts(_ pace: RecruitmentPace?) -> [String] {
    [
      pace?.days.map { elapsed, planned in
        planned.map { "\(elapsed) of \($0) days" } ?? AnswerText.count(elapsed, "day")
      },
      AnswerText.count(Int(clamping: Int64(units)), "unit"),
      context.asOf.map { "as of \($0)" },
    ].compactMap(\.self)
  }

  // MARK: Rows

  private func table() throws(TableError) -> Table {
    let shown = context.metrics.filter { metric in !guardrails.contains { $0.metric == metric } }
    let isOne = shown.count < 2
    var columns: [TableColumn] =
      isOne ? [] : [.measure("metric", .text, "what is measured of each unit, by its title").main]
    columns += [
      .measure("variant", .text, "what was chosen").main,
      .measure("units", .integer, "units that belong to the variant").main,
      .measure(
        isOne ? MetricWords(shown.first ?? Metric(.reward)).heading : "mean", .text, "their mean"
      ).main,
      // Those that are not main make room where there is none.
      .measure("difference", .text, "variant less baseline"),
      .measure("lift", .text, "variant over baseline less 1, with its interval").main,
      .measure("chance_to_be_best", .text, "posterior probability to be the best of all variants"),
      .measure("verdict", .text, "of report compare").main,
    ]
    var table = try Table(name: "card", title: "", columns: columns)
    for metric in shown {
      let rows = Self.rows(rows, of: metric)
      let chances = CardChances(rows, metric).text
      let lead: [TableCell] = isOne ? [] : [.text(metric.label?.words ?? metric.description)]
      let words = MetricWords(metric)
      if let first = rows.first, let name = first.text("baseline") {
        let mean = first.number("baseline_mean").map { words.mean($0) }
        let units = first.number("baseline_units").map { TableCell.integer(Int($0)) } ?? .empty
        try table.append(
          row: lead + [
            .text("\(name) (\(baseline))"), units, TableCell(mean), .empty, .empty,
            TableCell(chances(nil)), .empty,
          ])
      }
      for (index, row) in Self.shown(rows) where row.text("baseline") != row.text("variant") {
        let isEarly = context.decisions.first { $0.isOf(row) }?.isEarly ?? false
        try table.append(
          row: lead + [
            .text(row.text("variant") ?? ""), .integer(Int(row.number("units") ?? 0)),
            TableCell(row.number("mean").map { words.mean($0) }),
            TableCell(row.number("difference").map(words.difference)),
            TableCell(isEarly ? row.number("lift").map(AnswerNumber.change) : Self.lift(row)),
            TableCell(isEarly ? nil : chances(index)), TableCell(verdict(of: row)),
          ])
      }
    }
    return table
  }

  /// The rows that a card has room for, with their places: of many those with a verdict first.
  private static func shown(_ rows: [NamedCells]) -> [(offset: Int, element: NamedCells)] {
    let all = Array(rows.enumerated())
    guard rows.count > mostVariants else { return all }
    let decided = all.filter { ComparisonAnswer.verdict($0.element)?.isDecided ?? false }
    let others = all.filter { !(ComparisonAnswer.verdict($0.element)?.isDecided ?? false) }
    return (decided + others).prefix(mostVariants).sorted { $0.offset < $1.offset }
  }

  /// Whether the baseline was named, or guessed.
  private var baseline: String {
    let name = goal.first?.text("baseline") ?? ""
    let isGuessed = context.plan.baseline == nil && !BaselineRule.isKnown(name)
    return isGuessed ? "baseline, guessed" : "baseline"
  }

  private func verdict(of row: NamedCells) -> String? {
    context.decisions.first { $0.isOf(row) }?.verdict ?? row.text("verdict")
  }

  private static func lift(_ row: NamedCells) -> String? {
    guard let lift = row.number("lift") else { return nil }
    let interval = AnswerNumber.interval(row.number("lift_ci_low"), row.number("lift_ci_high")) {
      NumberText.readable($0 * 100, digits: 2)
    }
    return AnswerNumber.change(lift) + (interval.map { " (\($0))" } ?? "")
  }

  // MARK: Lines

  private var guardrails: [AnalysisPlan.Guardrail] { context.entry?.guardrails ?? [] }

  private var lines: [TableCard.Line] {
    var lines: [TableCard.Line] = []
    let kept = guardrails.compactMap(guardrail)
    if !kept.isEmpty { lines.append(TableCard.Line("Guardrails", kept.joined(separator: " · "))) }
    lines.append(TableCard.Line("Trust", trust))
    if goal.count > Self.mostVariants {
      let isMany = goal.count >= BestChances.mostVariants
      lines.append(
        TableCard.Line(
          "More",
          "\(goal.count - Self.mostVariants) more variants are in report compare"
            + (isMany ? "; beside more than \(BestChances.mostVariants) the chance to be best is not computed" : "")))
    }
    return lines
  }

  /// Returns the guardrail that a variant breaks, in words; nil if it breaks none.
  func broken(by variant: NamedCells) -> String? {
    states(of: variant).first { $0.state == .worse }.map { rule, row, _ in
      MetricWords(rule.metric).change(row.number("lift"), row.number("difference")) + (Self.limit(rule, row) ?? "")
    }
  }

  /// Returns the guardrail of a variant that cannot be tested, and why; nil if all are tested.
  func untested(by variant: NamedCells) -> String? {
    states(of: variant).first { $0.state == .untested }.map { rule, row, _ in
      MetricWords(rule.metric).change(row.number("lift"), row.number("difference")) + ", which cannot be tested: "
        + ComparisonAnswer.words(row.text("reason") ?? "")
    }
  }

  /// Returns the guardrails of a variant that are not shown to hold, in words; nil if all hold.
  func unproven(by variant: NamedCells) -> String? {
    let names = states(of: variant).filter { $0.state != .kept }.map { MetricWords($0.rule.metric).name }
    guard !names.isEmpty else { return nil }
    return names.joined(separator: " and ") + (names.count == 1 ? " is" : " are") + " not shown to hold"
  }

  private func states(
    of variant: NamedCells
  ) -> [(rule: AnalysisPlan.Guardrail, row: NamedCells, state: Recommendation.GuardrailState)] {
    guardrails.compactMap { rule in
      let own = Self.rows(rows, of: rule.metric).first {
        $0.text("variant")?.isSameName(as: variant.text("variant") ?? "") ?? false
      }
      return own.map { (rule, $0, Recommendation.GuardrailState($0, rule)) }
    }
  }

  /// Returns how bad the change of a guardrail can be by its interval, and its limit; nil without a limit.
  private static func limit(_ rule: AnalysisPlan.Guardrail, _ row: NamedCells) -> String? {
    guard let margin = rule.margin else { return nil }
    let isLess = rule.metric.direction == .lower
    let worst = row.number(isLess ? "lift_ci_high" : "lift_ci_low").map {
      "at worst \(AnswerNumber.change($0)), "
    }
    return " (\(worst ?? "")limit \(isLess ? "+" : "-")\(AnswerNumber.percent(margin)))"
  }

  /// Returns how much the variants change a guardrail.
  private func guardrail(_ rule: AnalysisPlan.Guardrail) -> String? {
    let rows = Self.rows(rows, of: rule.metric)
    guard !rows.isEmpty else { return nil }
    let states = rows.map { row in
      let name = rows.count > 1 ? " \(row.text("variant") ?? "")" : ""
      let change =
        row.number("lift").map(AnswerNumber.change)
        ?? row.number("difference").map(MetricWords(rule.metric).difference) ?? "unknown"
      let state = Recommendation.GuardrailState(row, rule).rawValue
      return "\(name) \(change)\(Self.limit(rule, row) ?? ""): \(state)"
    }
    return MetricWords(rule.metric).name + states.prefix(3).joined(separator: ",")
      + (states.count > 3 ? ", and \(states.count - 3) more" : "")
  }

  /// Whether the data can be believed.
  private var trust: String {
    var parts: [String] = []
    if let pValue = goal.first?.number("srm_p_value") {
      let isPlanned = pValue >= SampleRatioRule.level
      parts.append(
        "split \(isPlanned ? "as planned" : "not as planned") (\(AnswerNumber.pValue(pValue)))")
    }
    var seen: [String] = []
    for warnings in goal.compactMap({ $0.text("warnings") }) where !seen.contains(warnings) {
      seen.append(warnings)
    }
    let invalid = goal.first { ComparisonAnswer.verdict($0) == .notValid }?.text("reason")
    if let invalid, !invalid.hasPrefix(HealthCheck.Name.sampleRatio.rawValue) {
      parts.append("failed: " + ComparisonAnswer.words(invalid).prefix { $0 != ";" })
    }
    let clean = invalid == nil ? ["no other check failed"] : []
    parts += seen.isEmpty ? clean : seen.prefix(2).map(ComparisonAnswer.words)
    let isUncorrected = context.entry == nil && context.plan.correction == nil && context.plan.method.hasPValue
    if goal.count > 2, isUncorrected {
      parts.append("\(goal.count) comparisons without correction for their number")
    }
    return parts.joined(separator: " · ")
  }
}

/// The posterior chances of the variants of a card to be the best.
struct CardChances {
  private let chances: [Double]

  /// Finds the chances of the rows of a metric and of their baseline, which comes last.
  init(_ rows: [NamedCells], _ metric: Metric) {
    let means = rows.map { Self.mean($0, "") } + [rows.first.flatMap { Self.mean($0, "baseline_") }]
    chances = BestChances.chances(means, metric.direction) ?? []
  }

  private static func mean(_ row: NamedCells, _ prefix: String) -> SampleMean? {
    // A row without a chance to win has no posterior: its values do not vary, or its events are too few.
    guard !prefix.isEmpty || row.number("chance_to_win") != nil, let mean = row.number(prefix + "mean"),
      let variance = row.number(prefix + "variance"), let units = row.number(prefix + "units"), units > 1
    else { return nil }
    return SampleMean(count: units, mean: mean, variance: variance)
  }

  /// Returns the chance of a row, or of the baseline for nil.
  func text(_ row: Int?) -> String? {
    guard let last = chances.indices.last else { return nil }
    let chance = chances[row ?? last]
    return chance > 0.999 ? "> 99.9 %" : chance < 0.001 ? "< 0.1 %" : AnswerNumber.percent(chance)
  }
}
