internal import EventLog
public import Events
public import Replay
internal import Tables

/// The report `compare`: which variant is better than the baseline in each metric, by how much, and whether the
/// result can be trusted.
public struct ComparisonReport: Report {
  public static let name = "compare"
  public static let abstract =
    "Which variant is better than the baseline, by how much, and whether to trust it."

  public static let discussion = """
    A unit belongs to the variant of its first exposure at each point and slot of an experiment; units seen in \
    several variants are left out and counted. Means are over units. The standard method is Welch's t test, for \
    metrics of 0 or 1 too; every row names its method. `bandolier explain compare` has the formulas.
    """

  public static let examples = [
    #"""
    bandolier report compare datasets/storefront.log \
      --experiment free-shipping --metric converted
    """#,
    #"""
    bandolier report compare datasets/storefront.log \
      --experiment pricing --metric converted --method bootstrap
    """#,
  ]

  /// The metrics of units.
  public var measures = MetricPlan()
  /// The parameters of the comparison.
  public var plan = ComparisonPlan()
  /// The dimension of post-stratification; nil for none.
  public var strata: Dimension?

  /// Creates the report with its standard parameters.
  public init() {}

  public static let takesDimensions = true

  public var refusedSelections: [(option: SelectionOption, reason: String)] {
    strata == nil ? [] : [(.by, "and --post-stratify cannot be combined; leave one out")]
  }

  public mutating func adopt(_ entry: AnalysisPlan.Entry) {
    measures.metrics = entry.metrics
    plan.baseline = entry.baseline
    plan.expectedShares = entry.shares
  }

  public mutating func validate() throws(ReportError) {
    plan.isPostStratified = strata != nil
    try measures.check(findsPercentiles: true)
    try plan.check()
    _ = try plan.covariatePeriod(of: measures.metrics)
    let neutral = measures.metrics.first { $0.direction == .neutral }
    try ReportError.require(
      plan.margin == nil || neutral == nil, "margin",
      "is how much worse a variant may be, and \(neutral?.description ?? "") is neither better nor worse")
  }

  public var partials: PartialSupport { .byUnits }

  public var end: Timestamp? { measures.attribution.end }

  public var dimension: Dimension? { strata }

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` if the log does not have the baseline, a variant or a goal that is a parameter.
  public func result(of source: ReportSource) throws -> ReportResult {
    for variant in plan.expectedShares.keys.sorted(by: VariantPairs.inBytes) {
      try source.lookup.code(of: variant, in: .variants)
    }
    measures.tellOwn(source)
    var projector = try measures.projector(source.lookup)
    try source.setCaps(of: &projector)
    projector.covariatePeriod = try plan.covariatePeriod(of: measures.metrics)
    projector.readsProbabilities = source.hasProbabilities
    projector.keepsValues = plan.method == .mannWhitney
    projector.bootstrap = plan.bootstrap
    var (tallies, health, others) = try run(projector, source)
    source.noteUnstoredProbabilities(of: tallies.exposures.keys, in: &tallies.expected)
    try source.lookup.require(plan.baseline, among: tallies.segments.keys.map { ($0.arm.experiment, $0.arm.variant) })
    let evidence = try evidence(tallies, health, others, source)
    var table = try Self.table(
      tallies, metrics: projector.metrics, names: source.names, plan: plan,
      dimension: source.dimension, evidence: evidence)
    for note in projector.notes + projector.capNotes(source.names) { table.note(note.name, .text(note.text)) }
    table.cards = try ResultCard.cards(of: table, .init(measures.metrics, plan, source))
    return ReportResult(table)
  }

  /// The metrics to ask for where those of the report do not vary.
  private var others: MetricPlan {
    var plan = measures
    plan.metrics = VaryingMetrics.candidates(besides: measures.metrics)
    return plan
  }

  /// Returns the tallies of the metrics and of the data-quality checks; of the other metrics too if a source is of
  /// parts of a log, where it is not known yet whether they are needed and another pass costs more than their tallies.
  private func run(
    _ projector: MetricProjector, _ source: ReportSource
  ) throws -> (MetricTallies, HealthTallies, others: MetricTallies?) {
    guard source.isOfParts else {
      let (tallies, health) = try source.run(units: projector, HealthProjector())
      return (tallies, health, nil)
    }
    return try source.run(units: projector, HealthProjector(), others.projector(source.lookup))
  }

  /// Returns the data-quality checks, and the metrics to ask for where those of the report do not vary.
  private func evidence(
    _ tallies: MetricTallies, _ health: HealthTallies, _ others: MetricTallies?,
    _ source: ReportSource
  ) throws -> VerdictEvidence {
    var evidence = VerdictEvidence(
      checks: HealthReport.checks(
        HealthEvidence(
          tallies: plan.isPostStratified ? health.withoutDimension : health,
          propensities: PropensityTallies(), absent: .init(),
          unreadable: source.extent.unreadable, positions: source.extent.positions),
        names: source.names))
    evidence.keepsCrossedUnits = measures.attribution.crossing == .first
    guard VaryingMetrics.areNeeded(tallies) else { return evidence }
    let counted = try others ?? source.run(units: self.others.projector(source.lookup))
    evidence.varyingMetrics = VaryingMetrics.varying(counted, self.others.metrics)
    return evidence
  }
}
