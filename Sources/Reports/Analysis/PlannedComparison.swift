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
      try self.init(deciding, try table(nil, own), decided, source, paced)
      return
    }
    let course = paced.values.max { $0.units < $1.units }?.looks
    let tables = try (course?.taken ?? []).map { look in
      let own = ComparisonPlan.Looks(
        count: looks.count, look: look.number, spending: looks.spending,
        information: look.information)
      return try table(own, source.ending(at: look.time))
    }
    let compared =
      try Self.atDecision(tables, of: entry) ?? table(.init(count: 1, look: 1), source)
    try self.init(deciding, compared, decided, source, paced)
  }

  /// Returns the rows of each variant at the look at which it, or a guardrail of it, was decided, else at the last one:
  /// what comes later changes no decision, and one variant does not end the others. Nil without a look.
  ///
  /// - Throws: `TableError` only if the tables have other columns than each other.
  private static func atDecision(
    _ looks: [Table], of entry: AnalysisPlan.Entry
  ) throws(TableError) -> Table? {
    struct Key: Hashable {
      let place: ReportPlace
      let names: [NameKey]

      init(_ row: NamedCells, _ columns: [String]) {
        place = ReportPlace(row)
        names = columns.map { NameKey(row.text($0) ?? "") }
      }
    }
    guard let last = looks.last, looks.count > 1 else { return looks.last }
    var decided: [Key: Int] = [:]
    var rows: [[Key: Table.Row]] = []
    for (number, look) in looks.enumerated() {
      var own: [Key: Table.Row] = [:]
      for (cells, row) in zip(NamedCells.rows(of: look), look.rows) {
        own[Key(cells, ["metric", "variant"])] = row
        let variant = Key(cells, ["variant"])
        if decided[variant] == nil, decides(cells, entry) { decided[variant] = number }
      }
      rows.append(own)
    }
    let kept = zip(NamedCells.rows(of: last), last.rows).map { cells, row in
      let look = decided[Key(cells, ["variant"])] ?? looks.count - 1
      return rows[look][Key(cells, ["metric", "variant"])] ?? row
    }
    var table = try Table(name: last.name, title: last.title, columns: last.columns)
    for row in kept { try table.append(row: Array(row)) }
    for note in last.notes { table.note(note.name, note.value) }
    return table
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

  /// Takes a comparison by a method that is valid at every look as it is.
  init(
    _ entry: AnalysisPlan.Entry, _ table: Table, _ plan: ComparisonPlan, _ source: ReportSource,
    _ paces: [ReportPlace: RecruitmentPace]? = nil
  ) throws {
    var own = plan
    let paces = try paces ?? RecruitmentPace.paces(of: source, entry, &own, sharesLevel: false)
    let decisions = PlannedDecision.decisions(of: table, entry, paces)
    var context = ResultCard.Context(entry.metrics, plan, source)
    (context.entry, context.decisions, context.paces) = (entry, decisions, paces)
    (self.entry, self.decisions) = (entry, decisions)
    cards = try ResultCard.cards(of: table, context)
  }
}
