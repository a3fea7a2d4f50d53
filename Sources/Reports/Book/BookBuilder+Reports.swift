internal import EventLog
internal import Replay
internal import Statistics
internal import Tables

/// The reports that need one pass over the log each, and those that share one.
extension BookBuilder {
  mutating func addHealth() throws { try add(HealthReport()) }

  mutating func addSeries() throws { try add(SeriesReport()) }

  /// Adds the reports of one projector over units in one pass.
  mutating func addUnitReports() throws {
    let rewards = try RewardReport()
    let conversions = try ConversionReport()
    let funnel = try FunnelReport(
      steps: settings.steps ?? Array(names.texts(.goals).prefix(Self.mostSteps)),
      order: settings.steps == nil ? .any : .ordered)
    let retention = try RetentionReport()
    let visits = try VisitReport()
    let source = try source(for: rewards)
    let lookup = source.lookup
    let (rewarded, converted, stepped, retained, visited) = try source.run(
      units: rewards.projector(lookup), conversions.projector(lookup), funnel.projector(lookup),
      retention.projector(lookup), visits.projector(lookup))
    let names = names
    bestVariants = bestVariants(rewarded)
    add(rewards, [try rewards.table(rewarded, names: names, dimension: nil)])
    add(conversions, [try conversions.table(converted, names: names, dimension: nil)])
    if funnel.steps.isEmpty {
      leaveOut(FunnelReport.self, because: "the log has no goals and no conversions")
    } else {
      add(funnel, [try funnel.table(stepped, names: names, dimension: nil)])
    }
    add(retention, [try retention.table(retained, names: names, dimension: nil)])
    add(visits, [try visits.table(visited, names: names, dimension: nil)])
  }

  /// The maximum number of steps of a funnel that nobody has named.
  private static let mostSteps = 8

  mutating func addQuantiles() throws {
    let metrics: [QuantileReport.Metric] = hasRevenue ? [.reward, .revenue] : [.reward]
    try add(QuantileReport(metrics))
  }

  /// Whether the log has conversions with a revenue, as far as they count for a variant.
  private var hasRevenue: Bool { measured("conversions", "revenue_sum") }

  /// Returns whether a number in a column of a report is not 0.
  private func measured(_ report: String, _ column: String) -> Bool {
    table(report)?.cells(of: column).contains { cell in
      switch cell {
      case .decimal(let number): number != 0
      case .integer(let number): number != 0
      default: false
      }
    } ?? false
  }

  /// Returns the first table of a report that was added.
  func table(_ report: String) -> Table? { parts.first { $0.name == report }?.tables.first }

  mutating func addComparison() throws {
    var plan = ComparisonPlan()
    plan.baseline = settings.baseline
    var measures = MetricPlan(metrics)
    measures.attribution = Attribution()
    try add(ComparisonReport(measures, plan: plan))
  }

  /// The metrics to compare.
  private var metrics: [Metric] {
    if let metrics = settings.metrics { return metrics }
    var metrics: [Metric] = []
    if measured("rewards", "rewards") || !measured("conversions", "conversions") {
      metrics.append(Metric(.reward))
    }
    if !names.texts(.goals).isEmpty { metrics.append(Metric(.converted)) }
    if hasRevenue { metrics.append(Metric(.revenue)) }
    return metrics
  }

  mutating func addPower() throws {
    var plan = PowerPlan()
    plan.baseline = settings.baseline
    try add(PowerReport(MetricPlan(metrics), plan: plan))
  }

  /// Adds the growth of the regret and its parts by variant, of one computation.
  mutating func addRegret() throws {
    let growth = try RegretReport()
    let variants = try RegretReport(decomposes: true)
    let regret = try source(for: growth).regret(growth.rules)
    add(
      growth,
      [try growth.table(regret, names: names), try variants.table(regret, names: names)])
  }

  mutating func addAdaptive() throws {
    try add(AdaptiveReport(plan: AdaptivePlan(baseline: settings.baseline)))
  }

  /// Adds the reports of predictions if the log has options taken in studies.
  mutating func addPredictions() throws {
    let report = try PredictionReport()
    let result = try source(for: report).predictions(report.rules)
    guard result.ledger.takes > 0 else {
      return leaveOut(PredictionReport.self, because: "the log has no options taken in studies")
    }
    let tables = PredictionTables(result)
    add(report, try PredictionTable.allCases.map { try tables.table($0) })
  }
}
