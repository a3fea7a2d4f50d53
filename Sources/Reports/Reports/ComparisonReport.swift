public import EventLog
public import Events
public import Replay
internal import Statistics
package import Tables

/// The report `compare`: which variant is higher than the baseline in each metric, by how much, and whether the
/// result can be trusted.
public struct ComparisonReport: Report {
  public static let name = "compare"
  public static let abstract =
    "Which variant is higher than the baseline, by how much, and whether to trust it."

  /// The metrics of units.
  public let measures: MetricPlan
  /// The parameters of the comparison.
  public private(set) var plan: ComparisonPlan
  /// The dimension of post-stratification; nil for none.
  public let strata: Dimension?

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - measures: The metrics of units.
  ///   - plan: The parameters of the comparison.
  ///   - strata: The dimension of post-stratification; nil for none.
  /// - Throws: ``ReportError`` if a parameter is out of range, or is not used by the method of the plan.
  public init(
    _ measures: MetricPlan = MetricPlan(), plan: ComparisonPlan = ComparisonPlan(),
    strata: Dimension? = nil
  ) throws(ReportError) {
    self.measures = measures
    self.plan = plan
    self.strata = strata
    self.plan.isPostStratified = strata != nil
    try measures.check()
    try self.plan.check()
  }

  public var vocabularies: Set<Vocabulary> { [.experiments, .points, .slots, .variants, .goals] }

  public var end: Timestamp? { measures.attribution.end }

  public var dimension: Dimension? { strata }

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` if the log does not have the baseline, a variant or a goal that is a parameter.
  public func result(of source: ReportSource) throws -> ReportResult {
    if let baseline = plan.baseline { try source.lookup.code(of: baseline, in: .variants) }
    for variant in plan.expectedShares.keys.sorted(by: ComparisonPairs.inBytes) {
      try source.lookup.code(of: variant, in: .variants)
    }
    var projector = try measures.projector(source.lookup)
    projector.covariatePeriod = plan.covariate?.period
    projector.readsProbabilities = source.log != nil
    projector.keepsValues = plan.method == .mannWhitney
    projector.bootstrap = plan.bootstrap
    let tallies = try source.run(units: projector)
    try source.lookup.require(plan.baseline, among: tallies.segments.keys.map(\.arm.variant))
    var table = try Self.table(
      tallies, metrics: projector.metrics, names: source.names, plan: plan,
      dimension: source.dimension)
    for note in projector.notes { table.note(note.name, .text(note.text)) }
    return ReportResult(table)
  }

  static let columns: [TableColumn] = [
    .key("experiment", .text, "what is decided"),
    .key("point", .text, "where in the app"),
    .key("slot", .text, "which of several decisions at the point"),
    .key("metric", .text, "what is measured of each unit"),
    .key("variant", .text, "what was chosen"),
    .key("baseline", .text, "the variant that it is compared with"),
    .measure("units", .integer, "units that belong to the variant"),
    .measure("mean", .decimal, "their mean, or ratio of sums"),
    .measure("variance", .decimal, "variance of one unit"),
    .measure("standard_deviation", .decimal, "its square root"),
    .measure("baseline_units", .integer, "units that belong to the baseline"),
    .measure("baseline_mean", .decimal, "their mean, or ratio of sums"),
    .measure("baseline_variance", .decimal, "variance of one unit of the baseline"),
    .measure("difference", .decimal, "variant less baseline, adjusted if the method says so"),
    .measure("ci_low", .decimal, "lower end of its interval; one-sided where one side is tested"),
    .measure("ci_high", .decimal, "upper end of its interval"),
    .measure("standard_error", .decimal, "its standard error"),
    .measure("statistic", .decimal, "the statistic of the method"),
    .measure("degrees_of_freedom", .decimal, "its degrees of freedom; empty when normal"),
    .measure("p_value", .decimal, "against no difference, or against the margin"),
    .measure("p_value_adjusted", .decimal, "the same, adjusted over all rows of the report"),
    .measure("lift", .decimal, "variant over baseline less 1"),
    .measure("lift_ci_low", .decimal, "lower end of the lift's interval"),
    .measure("lift_ci_high", .decimal, "upper end of the lift's interval"),
    .measure("chance_to_win", .decimal, "posterior probability that the variant is higher"),
    .measure("expected_loss", .decimal, "what choosing the variant loses on average"),
    .measure("srm_p_value", .decimal, "whether counts of units fit their shares (chi-squared)"),
    .measure("verdict", .text, "higher, lower, undecided, or that nothing can be said"),
    .measure("status", .text, "why a value is not there"),
    .measure("method", .text, "what made difference, interval and p-value"),
    .measure("lift_method", .text, "what made the interval of the lift"),
  ]

  /// A row before p-values are adjusted.
  struct Draft {
    var comparison: ComparisonPairs.Pair
    var result: Comparison
  }

  /// Returns the report of tallies.
  ///
  /// - Parameters:
  ///   - tallies: Metrics by segment.
  ///   - metrics: The metrics, in the order of the tallies.
  ///   - names: The names of the log that the tallies come from.
  ///   - plan: The parameters of the comparison.
  ///   - dimension: The dimension by which the tallies are broken down.
  /// - Returns: One row for each variant but the baseline and each metric, sorted by the bytes of their names; for a
  ///   variant that is alone, one row as its own baseline.
  /// - Throws: `TableError` only if the column declarations are invalid.
  package static func table(
    _ tallies: MetricTallies, metrics: [Metric], names: LogNames, plan: ComparisonPlan,
    dimension: Dimension? = nil
  ) throws(TableError) -> Table {
    let shown = plan.isPostStratified ? nil : dimension
    var table = try Table(
      name: "compare", title: "Variants against the baseline",
      columns: columns + TableColumn.breakdown(shown))
    let comparer = Comparer(plan: plan)
    let compared = ComparisonPairs(tallies, metrics, names, plan)
    let drafts = compared.pairs.map {
      Draft(comparison: $0, result: result($0, comparer))
    }
    let adjusted = adjust(drafts.map { $0.result.difference?.pValue }, plan.correction)
    for (draft, adjusted) in zip(drafts, adjusted) {
      try table.append(
        row: keys(draft.comparison) + values(draft, plan, adjusted)
          + TableCell.breakdown(shown, draft.comparison.value))
    }
    note(plan, adjusted.filter { $0 != nil }.count, compared.expectations, dimension, &table)
    for (rule, count) in ledgerNotes(tallies.ledger) { table.note(rule, .integer(count)) }
    return table.sorted()
  }

  /// Returns p-values adjusted as one family; missing ones stay missing and do not count.
  static func adjust(_ pValues: [Double?], _ correction: Multiplicity?) -> [Double?] {
    guard let correction else { return pValues }
    var adjusted = correction.adjusted(pValues.compactMap { $0 }).makeIterator()
    return pValues.map { $0 == nil ? nil : adjusted.next() }
  }

  private static func result(_ pair: ComparisonPairs.Pair, _ comparer: Comparer) -> Comparison {
    guard let control = pair.control else {
      return Comparison(
        status: pair.reason, method: comparer.plan.methodText(pair.treatment.metric))
    }
    guard !pair.strata.isEmpty else { return comparer.compare(pair.treatment, control) }
    return comparer.compare(pair.strata, pair.treatment.metric)
  }

  private static func keys(_ pair: ComparisonPairs.Pair) -> [TableCell] {
    [
      .text(pair.experiment), .text(pair.point), .text(pair.slot),
      .text(pair.treatment.metric.description), .text(pair.variant), TableCell(pair.baseline),
    ]
  }

  private static func values(_ draft: Draft, _ plan: ComparisonPlan, _ adjusted: Double?)
    -> [TableCell]
  {
    let (pair, result) = (draft.comparison, draft.result)
    let difference = result.difference
    let (treatment, control) = (pair.treatment.mean, pair.control?.mean)
    return [
      .integer(pair.treatment.units), TableCell(pair.treatment.point),
      TableCell(treatment?.variance), TableCell(treatment?.variance.squareRoot()),
      TableCell(pair.control?.units), TableCell(pair.control?.point),
      TableCell(control?.variance), TableCell(difference?.estimate),
      TableCell(difference?.interval?.low), TableCell(difference?.interval?.high),
      TableCell(difference?.standardError), TableCell(difference?.statistic),
      TableCell(difference?.statistic == nil ? nil : difference?.degreesOfFreedom),
      TableCell(difference?.pValue), TableCell(adjusted), TableCell(result.lift?.estimate),
      TableCell(result.lift?.interval?.low), TableCell(result.lift?.interval?.high),
      TableCell(result.chanceToWin), TableCell(result.expectedLoss),
      TableCell(pair.sampleRatio),
      TableCell(result.verdict(plan, adjusted: adjusted, sampleRatio: pair.sampleRatio)),
      TableCell(result.status), .text(result.method),
      TableCell(result.lift?.interval == nil ? nil : result.liftMethod),
    ]
  }

  private static func note(
    _ plan: ComparisonPlan, _ tests: Int, _ expectations: [String: Int], _ dimension: Dimension?,
    _ table: inout Table
  ) {
    table.note("method", .text(plan.method.rawValue))
    table.note("alternative", .text(plan.alternative.rawValue))
    table.note(
      "interval",
      .text(
        "\(Percent.text(plan.level)), \(plan.alternative == .twoSided && plan.margin == nil ? "two-sided" : "one-sided"), "
          + "not corrected"))
    table.note(
      "correction",
      .text("\(plan.correction?.rawValue ?? "none"), over the \(tests) p-values of this report"))
    table.note("lift_interval", .text(plan.lift.rawValue))
    if !plan.method.isBayesian {
      table.note("chance_to_win", .text("normal posterior of the difference, flat prior"))
    }
    table.note(
      "baseline", .text(plan.baseline ?? "named control, baseline or a, else the first by bytes"))
    table.note("sample_ratio", .text(sampleRatioText(plan, expectations)))
    if plan.isPostStratified, let dimension {
      table.note("strata", .text(dimension.description))
    }
  }

  /// Describes the expectations that units were tested against, with the number of comparisons that used each.
  private static func sampleRatioText(
    _ plan: ComparisonPlan, _ expectations: [String: Int]
  ) -> String {
    guard plan.testsSampleRatio else { return "not tested" }
    let shares = plan.expectedShares.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let given = shares.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    let used = expectations.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      "\($0.key) (\($0.value) experiments, points or slots)"
    }
    return "mismatch below \(SampleRatioRule.level), expected "
      + (given.isEmpty ? used.joined(separator: "; ") : given)
  }

  /// Returns notes of what was read and what was not counted, rule by rule.
  static func ledgerNotes(_ ledger: MetricLedger) -> [(String, Int)] {
    [
      ("units_assigned", ledger.assignedUnits), ("units_in_several_variants", ledger.crossedUnits),
      ("units_in_progress", ledger.unitsInProgress),
      ("exposures_after_end", ledger.exposuresAfterEnd),
      ("decisions_unconfirmed", ledger.unconfirmedDecisions),
      ("decisions_excluded", ledger.excludedDecisions),
      ("decisions_of_unknown_status", ledger.unknownDecisions),
      ("decisions_left_out", ledger.leftOutDecisions), ("goals_counted", ledger.countedGoals),
      ("goals_not_counted", ledger.uncountedGoals), ("goals_refused", ledger.refusedGoals),
    ]
  }
}
