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
    var last: Timestamp?
    /// The same in words.
    var asOf: String?

    /// Returns a time without seconds, such as `2026-03-14 09:00 +01:00`.
    private static func minute(_ time: String) -> String {
      let zone = time.hasSuffix("Z") ? "UTC" : String(time.suffix(6))
      return "\(time.prefix(10)) \(time.dropFirst(11).prefix(5)) \(zone)"
    }

    init(_ metrics: [Metric], _ plan: ComparisonPlan, _ source: ReportSource) {
      (self.metrics, self.plan) = (metrics, plan)
      last = source.asOf
      asOf = last.map { Self.minute(source.calendar.text($0)) }
    }
  }

  /// The verdict of a better variant that a guardrail forbids to ship.
  static let heldVerdict = "guardrail worse"
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

  /// What to do with each variant, by the plan; empty without one.
  var decisions: [PlannedDecision] { context.decisions.filter { one in goal.contains { one.isOf($0) } } }

  /// Whether the plan decides at looks.
  var hasLooks: Bool { if case .atLooks? = context.entry?.stopping { true } else { false } }

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
      table: try table(), lines: lines + [TableCard.Line("Next", words.next)])
  }

  // MARK: Facts

  /// The units of all variants in the goal metric.
  var units: Double {
    goal.reduce(goal.first?.number("baseline_units") ?? 0) { $0 + ($1.number("units") ?? 0) }
  }

  /// Returns how far the experiment is; a plan may have tested fewer units.
  private func facts(_ pace: RecruitmentPace?) -> [String] {
    let isPlanned = context.decisions.contains { $0.moment != nil }
    // Those in several variants are in the headline.
    let isCrossed = goal.contains { !isValid($0) && ComparisonAnswer.check(of: $0) == .crossedUnits }
    return [
      pace?.days.map { elapsed, planned in
        let days = AnswerText.count(elapsed, "day")
        return planned.map { elapsed > $0 ? "\(days), \($0) planned" : "\(elapsed) of \($0) days" } ?? days
      },
      AnswerText.count(Int(clamping: Int64(isPlanned ? pace?.units ?? units : units)), "unit")
        + (isCrossed ? " in one variant" : ""),
      context.asOf.map { "as of \($0)" },
    ].compactMap(\.self)
  }

  // MARK: Rows

  private func table() throws(TableError) -> Table {
    // Where nothing is valid other metrics would repeat the units.
    let isVoid = goal.contains { !isValid($0) }
    let shown = context.metrics.filter { metric in !guardrails.contains { $0.metric == metric } }
      .prefix(isVoid ? 1 : .max)
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
      // Chances that must not be read yet, or at all, are not shown.
      let isWithheld = rows.contains {
        ComparisonAnswer.verdict($0)?.isTested == false || verdict(of: $0) == Self.heldVerdict
      }
      let chances = CardChances(isWithheld ? [] : rows, metric).text
      let lead: [TableCell] = isOne ? [] : [.text(metric.label?.words ?? metric.description)]
      let words = MetricWords(metric)
      // Variants may be decided at different looks: the baseline is that of the last one.
      let last = rows.max { ($0.number("baseline_units") ?? 0) < ($1.number("baseline_units") ?? 0) }
      if let first = last, let name = first.text("baseline") {
        // A variant that is alone is its own baseline.
        let prefix = first.text("variant") == name ? "" : "baseline_"
        let mean = first.number(prefix + "mean").map { words.mean($0) }
        let units = first.number(prefix + "units").map { TableCell.integer(Int($0)) } ?? .empty
        try table.append(
          row: lead + [
            .text("\(name) (\(baseline))"), units, TableCell(mean), .empty, .empty,
            TableCell(chances(nil)), .empty,
          ])
      }
      for (index, row) in Self.shown(rows) where row.text("baseline") != row.text("variant") {
        try table.append(
          row: lead + [
            .text(row.text("variant") ?? ""), .integer(Int(row.number("units") ?? 0)),
            TableCell(row.number("mean").map { words.mean($0) }),
            TableCell(isValid(row) ? row.number("difference").map(words.difference) : nil),
            TableCell(isValid(row) ? Self.lift(row) : nil), TableCell(chances(index)), TableCell(verdict(of: row)),
          ])
      }
    }
    let filled = table.columns.indices.filter { column in
      table.columns[column].isMain || table.rows.contains { $0[column] != .empty }
    }
    return try table.selecting(filled.map { table.columns[$0].name })
  }

  private func isValid(_ row: NamedCells) -> Bool { ComparisonAnswer.verdict(row) != .notValid }

  /// The verdict of a row; of a better variant that is not to be shipped the one of the guardrail that forbids it.
  private func verdict(of row: NamedCells) -> String? {
    let isHeld = decisions.contains { $0.isOf(row) && $0.recommendation.action == .rollBack }
    return isHeld && ComparisonAnswer.verdict(row) == .better ? Self.heldVerdict : row.text("verdict")
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

  /// The lift, or the difference of a variant that has none.
  private func effect(_ row: NamedCells) -> String {
    let words = MetricWords(context.metrics.first ?? Metric(.reward))
    return Self.lift(row) ?? row.number("difference").map(words.difference) ?? "an unknown difference"
  }

  private static func lift(_ row: NamedCells) -> String? {
    guard let lift = row.number("lift") else { return nil }
    let interval = AnswerNumber.interval(
      row.number("lift_ci_low"), row.number("lift_ci_high"), AnswerNumber.end)
    return AnswerNumber.change(lift) + (interval.map { " (\($0))" } ?? "")
  }

  // MARK: Lines

  private var guardrails: [AnalysisPlan.Guardrail] { context.entry?.guardrails ?? [] }

  private var lines: [TableCard.Line] {
    var lines: [TableCard.Line] = []
    let kept = goal.allSatisfy(isValid) ? guardrails.compactMap(guardrail) : []
    if !kept.isEmpty { lines.append(TableCard.Line("Guardrails", kept.joined(separator: " · "))) }
    let moments = moments
    if !moments.isEmpty { lines.append(TableCard.Line("Tested", moments.joined(separator: " · "))) }
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

  /// When variants were tested, where events came later, and how a decided one stands since.
  private var moments: [String] {
    var texts: [(moment: String, variants: [String])] = []
    for one in decisions where !one.isEarly {
      guard let moment = one.moment, context.last.map({ moment.time < $0 }) ?? false else { continue }
      let name = one.row.text("variant") ?? ""
      let since = moment.later.map { "; at the latest look \(name) is at \(effect($0))" } ?? ""
      let text = "at \(moment.name), before \(one.calendar.text(moment.time).prefix(10))\(since)"
      if let same = texts.firstIndex(where: { $0.moment == text }) {
        texts[same].variants.append(name)
      } else {
        texts.append((text, [name]))
      }
    }
    guard texts.count > 1 else { return texts.map(\.moment) }
    return texts.map { "\(AnswerText.list($0.variants)) \($0.moment)" }
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
    let texts = [Recommendation.GuardrailState.open, .worse, .untested].compactMap { state -> String? in
      let names = guardrails(of: variant, in: [state])
      return names.isEmpty
        ? nil : names.joined(separator: " and ") + (names.count == 1 ? " is " : " are ") + state.rawValue
    }
    return texts.isEmpty ? nil : texts.joined(separator: " and ")
  }

  /// Returns the guardrails of a variant in some states, by their names in sentences.
  func guardrails(of variant: NamedCells, in wanted: Set<Recommendation.GuardrailState>) -> [String] {
    states(of: variant).filter { wanted.contains($0.state) }.map { MetricWords($0.rule.metric).name }
  }

  private func states(
    of variant: NamedCells
  ) -> [(rule: AnalysisPlan.Guardrail, row: NamedCells, state: Recommendation.GuardrailState)] {
    guardrails.compactMap { rule in
      Self.rows(rows, of: rule.metric).first { $0.hasVariant(of: variant) }
        .map { (rule, $0, Recommendation.GuardrailState($0, rule)) }
    }
  }

  /// Returns how bad the change of a guardrail can be by its interval, and its limit; nil without a limit.
  private static func limit(_ rule: AnalysisPlan.Guardrail, _ row: NamedCells) -> String? {
    guard let margin = rule.margin else { return nil }
    let isLess = rule.metric.direction == .lower
    let limit = (isLess ? "+" : "-") + AnswerNumber.percent(margin)
    if Recommendation.GuardrailState(row, rule) == .worse,
      let interval = AnswerNumber.interval(
        row.number("lift_ci_low"), row.number("lift_ci_high"), { AnswerNumber.change($0) })
    {
      return " (interval \(interval), limit \(limit))"
    }
    let worst = row.number(isLess ? "lift_ci_high" : "lift_ci_low").map { end in
      // What reads like the limit is within or beyond it.
      let text = AnswerNumber.change(end)
      return "at worst \(text == limit ? AnswerNumber.change(end, digits: 5) : text), "
    }
    return " (\(worst ?? "")limit \(limit))"
  }

  /// Whether the plan lets the variant of a row run on.
  private func isRunning(_ row: NamedCells) -> Bool {
    decisions.contains { $0.recommendation.action == .keepRunning && $0.row.hasVariant(of: row) }
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
      let state = Recommendation.GuardrailState(row, rule)
      let yet = state == .open && isRunning(row) ? " yet" : ""
      return "\(name) \(change)\(Self.limit(rule, row) ?? ""): \(state.rawValue)\(yet)"
    }
    return MetricWords(rule.metric).name + states.prefix(3).joined(separator: ",")
      + (states.count > 3 ? ", and \(states.count - 3) more" : "")
  }

  // MARK: Trust

  /// Whether the data can be believed: yes, no or with care, and why.
  private var trust: String {
    let warnings = warnings
    if let invalid = goal.first(where: { ComparisonAnswer.verdict($0) == .notValid })?.text("reason") {
      let isSplit = invalid.hasPrefix(HealthCheck.Name.sampleRatio.rawValue)
      let reason = String(ComparisonAnswer.words(invalid).prefix { $0 != ";" })
      return (["no: " + (isSplit ? split ?? reason : reason)] + warnings.prefix(1)).joined(separator: " · ")
    }
    if let learned = goal.first(where: { ComparisonAnswer.rule(of: $0) == VerdictFinding.adaptivePolicy }) {
      return "no: " + ComparisonAnswer.words(learned.text("reason") ?? "").prefix { $0 != ":" }
    }
    guard warnings.isEmpty, let split else {
      return "with care: " + ([split ?? "split not tested"] + warnings.prefix(3)).joined(separator: " · ")
    }
    return "yes: \(split), no check failed"
  }

  /// What the test of the split says; nil without a test.
  private var split: String? {
    guard let pValue = goal.first?.number("srm_p_value") else { return nil }
    let isPlanned = pValue >= SampleRatioRule.level
    return "split \(isPlanned ? "" : "not ")as planned\(shares) (\(AnswerNumber.pValue(pValue)))"
  }

  /// The planned shares, the baseline first, where they differ.
  private var shares: String {
    let planned = context.plan.expectedShares.isEmpty ? context.entry?.shares ?? [:] : context.plan.expectedShares
    guard Set(planned.values).count > 1, let first = goal.first else { return "" }
    let names = [first.text("baseline") ?? ""] + goal.map { $0.text("variant") ?? "" }
    let sum = planned.values.reduce(0, +)
    return ", " + AnswerText.list(names.map { AnswerNumber.percent((planned[$0] ?? 0) / sum) })
  }

  /// What makes the rows less certain, each once.
  private var warnings: [String] {
    var seen: [String] = []
    for row in rows {
      let isOfGoal = row.text("metric") == goal.first?.text("metric")
      for warning in ComparisonAnswer.warnings(of: row) where isOfGoal || warning.hasPrefix(VerdictFinding.refunds) {
        let words = ComparisonAnswer.words(warning)
        if !seen.contains(words) { seen.append(words) }
      }
    }
    let isUncorrected = context.entry == nil && context.plan.correction == nil && context.plan.method.hasPValue
    if rows.count > 2, isUncorrected {
      seen.append("\(rows.count) comparisons without correction for their number")
    }
    return seen
  }
}

/// The posterior chances of the variants of a card to be the best.
struct CardChances {
  private let chances: [Double]

  /// Finds the chances of the rows of a metric and of their baseline, which comes last.
  init(_ rows: [NamedCells], _ metric: Metric) {
    if rows.count == 1, metric.direction != .neutral, let chance = rows[0].number("chance_to_win") {
      chances = [chance, 1 - chance]
      return
    }
    // Variants that were tested at different looks have baselines of their own.
    let haveOneBaseline = rows.allSatisfy { $0.number("baseline_units") == rows[0].number("baseline_units") }
    let means = rows.map(Self.mean) + [rows.first.flatMap { Self.mean($0, "baseline_") }]
    chances = haveOneBaseline ? BestChances.chances(means, metric.direction) ?? [] : []
  }

  /// Returns the mean of a variant; nil where its test is not of this mean and variance: its values do not vary or are
  /// few, or a covariate adjusts them.
  private static func mean(_ row: NamedCells) -> SampleMean? {
    guard row.number("chance_to_win") != nil, let error = row.number("standard_error"),
      let own = mean(row, ""), let baseline = mean(row, "baseline_")
    else { return nil }
    let variance = own.squaredError + baseline.squaredError
    return abs(error * error - variance) <= 1e-6 * variance ? own : nil
  }

  private static func mean(_ row: NamedCells, _ prefix: String) -> SampleMean? {
    guard let mean = row.number(prefix + "mean"), let variance = row.number(prefix + "variance"),
      let units = row.number(prefix + "units"), units > 1
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
