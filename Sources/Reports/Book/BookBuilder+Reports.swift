internal import EventLog
internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

/// The reports that need one pass over the log each, and those that share one.
extension BookBuilder {
  mutating func addHealth() throws {
    try add(HealthReport())
  }

  /// Adds what to do with each variant of the planned experiments.
  mutating func addDecisions() throws {
    guard let plan = settings.analysis else { return }
    let report = DecisionReport(plan)
    let table = try report.result(of: source(for: report)).table
    add(report, table)
  }

  mutating func addSeries() throws {
    try add(SeriesReport(), mayLackData: true)
  }

  /// Adds the reports of one projector over units in one pass.
  mutating func addUnitReports() throws {
    let rewards = RewardReport()
    let conversions = ConversionReport()
    let goals = try ConversionReport { $0.source = .goals }
    let names = names
    let steps = settings.steps ?? Array(names.texts(.goals).prefix(Self.mostSteps))
    let order = settings.steps == nil ? FunnelProjector.Order.each : .ordered
    let funnel = try FunnelReport {
      $0.steps = steps
      $0.order = order
    }
    let retention = RetentionReport()
    let visits = VisitReport()
    let source = try source(for: rewards)
    let lookup = source.lookup
    let (rewarded, converted, reached, stepped, retained, visited) = try source.run(
      units: rewards.projector(lookup), conversions.projector(lookup), goals.projector(lookup),
      funnel.projector(lookup), retention.projector(lookup), visits.projector(lookup))
    if funnel.steps.isEmpty {
      leaveOut(FunnelReport.self, because: "the log has no goals and no conversions")
    }
    guard settings.analysis == nil else {
      try add(rewards)
      bestVariants = bestVariants(table(RewardReport.name))
      try add(conversions)
      try addGoals(goals, result(of: goals).table)
      if !funnel.steps.isEmpty { try add(funnel) }
      try add(retention)
      return try add(visits)
    }
    add(rewards, try rewards.table(rewarded, names: names, dimension: nil))
    bestVariants = bestVariants(table(RewardReport.name))
    add(conversions, try conversions.table(converted, names: names, dimension: nil))
    try addGoals(goals, goals.table(reached, names: names, dimension: nil))
    if !funnel.steps.isEmpty {
      add(funnel, try funnel.table(stepped, names: names, dimension: nil))
    }
    add(retention, try retention.table(retained, names: names, dimension: nil))
    add(visits, try visits.table(visited, names: names, dimension: nil))
  }

  /// Adds the goals of the experiments without conversions, whose chapters have them instead of rows of zeros.
  private mutating func addGoals(_ report: ConversionReport, _ goals: Table) throws {
    guard let part = parts.firstIndex(where: { $0.name == ConversionReport.name }) else { return }
    let conversions = parts[part].ofExperiments
    let lacking = conversions.filter { !$0.value.allSatisfy(\.experimentsWithGoalsOnly.isEmpty) }.keys
    let known = Set(conversions.keys)
    let own = try goals.filtered(name: "conversions_of_goals", title: "Goals by variant") { row in
      let experiment = row.text("experiment").map(NameKey.init)
      return experiment.map { lacking.contains($0) || !known.contains($0) } ?? false
    }
    guard !own.rows.isEmpty else { return }
    add(report, report.summarized(own))
    let ofGoals = BookPart(ConversionReport.self, [AnsweredTable(table: own, report: report)]).ofExperiments
    parts[part].byExperiment = conversions.merging(ofGoals) { $1 }.map { ($0.key.text, $0.value) }
  }

  /// The maximum number of steps of a funnel that nobody has named.
  private static let mostSteps = 8

  mutating func addQuantiles() throws {
    let metrics: [QuantileReport.Metric] = hasRevenue ? [.reward, .revenue] : [.reward]
    try add(QuantileReport { $0.metrics = metrics })
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
  func table(_ report: String) -> Table? { parts.first { $0.name == report }?.tables.first?.table }

  /// Adds the comparison of variants. Nobody has named the one that decides, so that p-values are corrected for their
  /// number: of hundreds some are small by chance. An experiment with an analysis plan has a metric that decides.
  mutating func addComparison() throws {
    var plan = ComparisonPlan()
    plan.baseline = settings.baseline
    plan.correction = .holm
    var measures = MetricPlan(metrics)
    measures.attribution = Attribution()
    let report = try ComparisonReport {
      $0.measures = measures
      $0.plan = plan
    }
    let settings = settings
    try add(
      report,
      planned: { entry in
        try ComparisonReport {
          $0.adopt(entry)
          $0.measures.metrics = settings.metrics ?? entry.metrics
          $0.plan.baseline = settings.baseline ?? entry.baseline
        }
      })
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
    let report = try PowerReport {
      $0.measures = MetricPlan(metrics)
      $0.plan = plan
    }
    let settings = settings
    try add(
      report,
      planned: { entry in
        try PowerReport {
          $0.adopt(entry)
          $0.measures.metrics = settings.metrics ?? entry.metrics
          $0.plan.baseline = settings.baseline ?? entry.baseline
        }
      })
  }

  /// Adds the growth of the regret and its parts by variant, of one computation.
  mutating func addRegret() throws {
    let growth = RegretReport()
    let variants = try RegretReport { $0.decomposes = true }
    guard settings.analysis == nil else {
      try add(growth)
      return try add(variants)
    }
    let regret = try source(for: growth).regret(growth.rules)
    add(growth, try growth.table(regret, names: names))
    add(variants, try variants.table(regret, names: names))
  }

  mutating func addAdaptive() throws {
    let report = try AdaptiveReport { $0.plan = AdaptivePlan(baseline: settings.baseline) }
    let baseline = settings.baseline
    try add(
      report, mayLackData: true,
      planned: { entry in
        try AdaptiveReport {
          $0.adopt(entry)
          $0.plan.baseline = baseline ?? entry.baseline
        }
      })
  }

  /// Adds the reports of predictions if the log has options taken in studies.
  mutating func addPredictions() throws {
    let report = PredictionReport()
    let result = try source(for: report).predictions(report.rules)
    guard result.ledger.takes > 0 else {
      return leaveOut(PredictionReport.self, because: "the log has no options taken in studies")
    }
    let tables = PredictionTables(result)
    for table in PredictionTable.allCases { add(report, try tables.table(table)) }
  }

  /// Adds the reports of which a book does not know the place, with their standard parameters.
  mutating func addOthers() throws {
    for report in settings.reports.all where !BookAssembly.order.contains(report.name) {
      if let option = report.optionInfos.first(where: { $0.form == .required }) {
        leaveOut(report, because: "it needs --\(option.name)")
      } else {
        try add(report.init(), mayLackData: true)
      }
    }
  }
}
