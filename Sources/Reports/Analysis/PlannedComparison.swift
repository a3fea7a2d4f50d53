internal import Replay
internal import Specifications
internal import Tables

/// The comparison by which a planned experiment is decided: by the stopping rule of its plan, so that looking at it
/// more than once does not raise the rate of wrong decisions.
struct PlannedComparison {
  /// The plan of the experiment.
  let entry: AnalysisPlan.Entry
  /// What to do with each variant, in the order of the rows of the goal metric.
  let decisions: [PlannedDecision]
  /// A card for each place.
  let cards: [TableCard]
  /// The rows of its variants, of the goal metric and the guardrails.
  let table: Table
  /// How far the experiment is, by place.
  let paces: [ReportPlace: RecruitmentPace]
  /// What tested the goal metric and the guardrails: the method of the plan, and what replaces it where events are few.
  let methods: [String]

  /// Compares the variants of an experiment.
  ///
  /// - Parameters:
  ///   - entry: The plan of the experiment.
  ///   - source: The part of the log with the experiment.
  ///   - plan: A comparison whose level, baseline, shares and covariate take precedence.
  /// - Throws: ``ReportError`` if the log lacks what the plan names; `LogError` if the log cannot be read.
  init(
    _ entry: AnalysisPlan.Entry, _ source: ReportSource,
    like plan: ComparisonPlan = ComparisonPlan()
  ) throws {
    var comparison = ComparisonPlan()
    comparison.method = entry.stopping.method
    comparison.alpha = plan.alpha
    comparison.baseline = plan.baseline ?? entry.baseline
    comparison.expectedShares = plan.expectedShares.isEmpty ? entry.shares : plan.expectedShares
    comparison.covariate = plan.covariate
    var deciding = entry
    deciding.baseline = comparison.baseline
    let paced = try RecruitmentPace.paces(of: source, deciding, &comparison, sharesLevel: true)
    let decided = comparison
    func table(_ looks: ComparisonPlan.Looks?, _ source: ReportSource) throws -> Table {
      let report = try ComparisonReport {
        $0.measures = MetricPlan(deciding.metrics)
        $0.plan = decided
        $0.plan.looks = looks
      }
      return try report.result(of: source).table
    }
    guard case .atLooks(let looks) = entry.stopping else {
      // What comes after the planned units must not be tested again, every day.
      let horizon = paced.values.compactMap(\.horizon).max()
      let own = try horizon.map { try source.ending(at: $0) } ?? source
      try self.init(deciding, try table(nil, own), decided, source, paced) { _ in
        horizon.map { DecisionMoment(name: "the planned units", time: $0) }
      }
      return
    }
    let course = paced.values.max { $0.units < $1.units }?.looks
    let taken = course?.taken ?? []
    let tables = try taken.map { look in
      let own = ComparisonPlan.Looks(
        count: looks.count, look: look.number, spending: looks.spending,
        information: look.information)
      return try table(own, source.ending(at: look.time))
    }
    guard let last = tables.last else {
      try self.init(deciding, table(.init(count: 1, look: 1), source), decided, source, paced)
      return
    }
    let decisive = Self.decisiveLooks(tables, of: entry)
    try self.init(
      deciding, try Self.rows(of: tables, at: decisive), decided, source, paced
    ) { row in
      let number = decisive[RowKey(row, ["variant"])] ?? tables.count - 1
      let later = number < tables.count - 1 ? NamedCells.rows(of: last).first { RowKey($0) == RowKey(row) } : nil
      return DecisionMoment(
        name: "look \(taken[number].number) of \(looks.count)", time: taken[number].time, later: later)
    }
  }

  /// What tells a row from the others.
  struct RowKey: Hashable {
    let place: ReportPlace
    let names: [NameKey]

    init(_ row: NamedCells, _ columns: [String] = ["metric", "variant"]) {
      place = ReportPlace(row)
      names = columns.map { NameKey(row.text($0) ?? "") }
    }
  }

  /// Returns the first look at which each variant, or a guardrail of it, was decided.
  private static func decisiveLooks(_ looks: [Table], of entry: AnalysisPlan.Entry) -> [RowKey: Int] {
    var decisive: [RowKey: Int] = [:]
    for (number, look) in looks.enumerated() {
      for row in NamedCells.rows(of: look) where decides(row, entry) {
        decisive[RowKey(row, ["variant"])] = decisive[RowKey(row, ["variant"])] ?? number
      }
    }
    return decisive
  }

  /// Returns the rows of each variant at the look at which it was decided, else at the last one: what comes later
  /// changes no decision, and one variant does not end the others.
  ///
  /// - Throws: `TableError` only if the tables have other columns than each other.
  private static func rows(of looks: [Table], at decisive: [RowKey: Int]) throws(TableError) -> Table {
    let rows = looks.map { look in
      Dictionary(zip(NamedCells.rows(of: look).map { RowKey($0) }, look.rows)) { first, _ in first }
    }
    return try looks[looks.count - 1].replacingRows { cells, row in
      decisive[RowKey(cells, ["variant"])].flatMap { rows[$0][RowKey(cells)] }.map { Array($0) } ?? row
    }
  }

  /// Returns whether the row of a metric decides about its variant: the goal that is better or worse, or a guardrail
  /// that is worse.
  private static func decides(_ cells: NamedCells, _ entry: AnalysisPlan.Entry) -> Bool {
    let metric = cells.text("metric")
    if metric == entry.metric.description { return ComparisonAnswer.verdict(cells)?.isDecided ?? false }
    return entry.guardrails.contains {
      $0.metric.description == metric && Recommendation.GuardrailState(cells, $0) == .worse
    }
  }

  private static func methods(_ table: Table, _ entry: AnalysisPlan.Entry) -> [String] {
    let deciding = [entry.metric.description] + entry.guardrails.map(\.metric.description)
    let names = NamedCells.rows(of: table).compactMap { row -> String? in
      guard ComparisonAnswer.verdict(row)?.isTested ?? false, deciding.contains(row.text("metric") ?? "") else {
        return nil
      }
      // An exact test has the method that it replaces behind it, in parentheses.
      let parts = row.text("method")?.split(separator: " (", maxSplits: 1) ?? []
      let isReplaced = parts.count > 1 && row.text("warnings")?.contains(VerdictFinding.fewEvents) ?? false
      return isReplaced ? String(parts[0]) : entry.stopping.method.rawValue
    }
    return names.distinctNames
  }

  /// Takes a comparison by a method that is valid at every look as it is.
  init(
    _ entry: AnalysisPlan.Entry, _ table: Table, _ plan: ComparisonPlan, _ source: ReportSource,
    _ paces: [ReportPlace: RecruitmentPace]? = nil,
    moment: (NamedCells) -> DecisionMoment? = { _ in nil }
  ) throws {
    var own = plan
    let paces = try paces ?? RecruitmentPace.paces(of: source, entry, &own, sharesLevel: false)
    let table = try table.withoutEarlyTests(paces, entry.stopping)
    var decisions = PlannedDecision.decisions(of: table, entry, paces)
    for index in decisions.indices { decisions[index].moment = moment(decisions[index].row) }
    methods = Self.methods(table, entry)
    var context = ResultCard.Context(entry.metrics, plan, source)
    (context.entry, context.decisions, context.paces) = (entry, decisions, paces)
    (self.entry, self.decisions, self.paces, self.table) = (entry, decisions, paces, table)
    cards = try ResultCard.cards(of: table, context)
  }
}
