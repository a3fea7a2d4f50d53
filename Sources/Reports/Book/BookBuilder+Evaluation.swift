internal import EventLog
internal import OffPolicy
internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

/// Off-policy evaluation: in each experiment the value of choosing at random, of the policy that wrote the log, and of
/// always choosing its best variant.
extension BookBuilder {
  /// Returns the best variant of each experiment: that with the greatest mean reward of a decision (the least of a
  /// planned metric of which less is better), of those that were chosen at every point and slot, as no other could
  /// always be chosen.
  ///
  /// - Parameter rewards: The table of rewards; broken down rows repeat others.
  /// - Returns: The names of the variants, of equally good ones the first by its bytes; nil where there is none.
  func bestVariants(_ rewards: Table?) -> [NameKey: String?] {
    typealias Sum = (decisions: Double, total: Double, places: Int)
    var sums: [NameKey: [NameKey: (name: String, sum: Sum)]] = [:]
    var places: [NameKey: Set<String>] = [:]
    for row in rewards.map(NamedCells.rows) ?? [] where row.text("dimension") == nil {
      guard let experiment = row.text("experiment").map(NameKey.init), let variant = row.text("variant"),
        let decisions = row.number("decisions"), decisions > 0
      else { continue }
      var sum: Sum = sums[experiment]?[NameKey(variant)]?.sum ?? (0, 0, 0)
      sum.decisions += decisions
      sum.total += row.number("reward_sum") ?? 0
      sum.places += 1
      sums[experiment, default: [:]][NameKey(variant)] = (variant, sum)
      places[experiment, default: []].insert(row.placeName)
    }
    return sums.reduce(into: [:]) { all, experiment in
      let everywhere = experiment.value.values.filter {
        $0.sum.places == places[experiment.key]?.count
      }
      let metric = settings.analysis?.entry(of: experiment.key.text)?.metric
      let sign = metric.flatMap(RewardMetric.init)?.metric.direction.sign ?? 1
      let best = everywhere.max { a, b in
        let (mean, other) = (sign * a.sum.total / a.sum.decisions, sign * b.sum.total / b.sum.decisions)
        return mean == other ? VariantPairs.inBytes(b.name, a.name) : mean < other
      }
      all.updateValue(best?.name, forKey: experiment.key)
    }
  }

  /// Adds the evaluations of experiments whose decisions have a propensity.
  mutating func addEvaluations() throws {
    let known = decisionsWithPropensity
    var planned: [(name: String, source: ReportSource, report: EvaluationReport)] = []
    for (experiment, name) in experimentsWithDecisions {
      guard known.map({ $0[NameKey(name), default: 0] > 0 }) ?? true else {
        leaveOut(
          EvaluationReport.self,
          because:
            "no decision of \(name) has a propensity, which estimates need; log \"propensity\"")
        continue
      }
      let plan = try plan(name)
      let entry = settings.analysis?.entry(of: name)
      let report = try EvaluationReport {
        $0.plan = plan
        if let entry { $0.adopt(entry) }
      }
      let part = ReportPart(
        experiments: [experiment], since: entry?.since, until: entry?.until)
      planned.append(
        (name, try source(for: report, experiment: experiment).selecting(part), report))
    }
    guard let made = planned.last?.report else { return }
    let evaluations = try ReportSource.evaluations(planned.map { ($0.source, $0.report.plan) })
    let byExperiment = try zip(planned, evaluations).map { one, evaluations in
      let tables = EvaluationTables(one.report, evaluations, names)
      return (experiment: one.name, tables: try Self.evaluationTables.map { try tables.table($0) })
    }
    for index in Self.evaluationTables.indices {
      if let whole = try Table.joining(byExperiment.map { $0.tables[index] }) { add(made, whole) }
    }
    if let part = parts.firstIndex(where: { $0.name == EvaluationReport.name }) {
      parts[part].byExperiment = byExperiment
    }
  }

  private static let evaluationTables: [EvaluationTable] = [.values, .support, .overlap, .weights]

  /// The experiments with decisions that count, by the bytes of their names.
  private var experimentsWithDecisions: [(code: UInt32, name: String)] {
    names.texts(.experiments).compactMap { name in
      guard bestVariants[NameKey(name)] != nil else { return nil }
      return names.code(of: name, in: .experiments).map { ($0, name) }
    }.sorted { VariantPairs.inBytes($0.1, $1.1) }
  }

  /// The number of decisions of each experiment whose propensity is known; nil without the report that counts them.
  private var decisionsWithPropensity: [NameKey: Int]? {
    guard let series = table(SeriesReport.name) else { return nil }
    return zip(series.cells(of: "experiment"), series.cells(of: "decisions_with_propensity"))
      .reduce(into: [:]) { counts, row in
        guard case .text(let name) = row.0, case .integer(let known) = row.1 else { return }
        counts[NameKey(name), default: 0] += known
      }
  }

  private func plan(_ experiment: String) throws -> OffPolicyPlan {
    var policies: [any TargetPolicy] = [LoggedTarget(), UniformTarget()]
    if case .some(let best?) = bestVariants[NameKey(experiment)] {
      policies.append(FixedTarget(variant: best))
    }
    return try .tabular(
      policies: policies,
      estimators: ["ips", "snips", "dr"].map { try EstimatorCatalog.standard.named($0) },
      intervals: [NormalInterval()], seed: settings.seed)
  }
}
