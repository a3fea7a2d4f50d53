internal import EventLog
internal import OffPolicy
internal import Replay
internal import Specifications
internal import Statistics
internal import Tables

/// Off-policy evaluation: in each experiment the value of choosing at random, of the policy that wrote the log, and of
/// always choosing its best variant.
extension BookBuilder {
  /// Returns the variant of each experiment with the greatest mean reward of a decision, by code, of those that were
  /// chosen at every point and slot: no other could always be chosen. Nil where there is none.
  ///
  /// Of variants with the same mean the first by the bytes of its name is the best.
  func bestVariants(_ tallies: RewardTallies) -> [UInt32: String?] {
    var sums: [UInt32: [UInt32: (decisions: Int, total: ExactSum, places: Int)]] = [:]
    var places: [UInt32: Set<[UInt32]>] = [:]
    for (segment, tally) in tallies.segments where tally.decisions > 0 {
      let arm = segment.arm
      var sum = sums[arm.experiment]?[arm.variant] ?? (0, ExactSum(), 0)
      sum.decisions += tally.decisions
      sum.total.merge(tally.total)
      sum.places += 1
      sums[arm.experiment, default: [:]][arm.variant] = sum
      places[arm.experiment, default: []].insert([arm.point, arm.slot])
    }
    return sums.reduce(into: [:]) { all, experiment in
      let count = places[experiment.key]?.count ?? 0
      let variants = experiment.value.filter { $0.value.places == count }
      let named = variants.map { code, sum in
        (
          name: names.string(code, in: .variants) ?? "",
          mean: sum.total.value / Double(sum.decisions)
        )
      }
      let best = named.max { a, b in
        if a.mean != b.mean { return a.mean < b.mean }
        return b.name.utf8.lexicographicallyPrecedes(a.name.utf8)
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
      let plan = try plan(experiment)
      let report = try EvaluationReport { $0.plan = plan }
      let entry = settings.analysis?.entry(of: name)
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
    bestVariants.keys.map { ($0, names.string($0, in: .experiments) ?? "") }
      .sorted { $0.1.utf8.lexicographicallyPrecedes($1.1.utf8) }
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

  private func plan(_ experiment: UInt32) throws -> OffPolicyPlan {
    var policies: [any TargetPolicy] = [LoggedTarget(), UniformTarget()]
    if case .some(let best?) = bestVariants[experiment] {
      policies.append(FixedTarget(variant: best))
    }
    return try .tabular(
      policies: policies,
      estimators: ["ips", "snips", "dr"].map { try EstimatorCatalog.standard.named($0) },
      intervals: [NormalInterval()], seed: settings.seed)
  }
}
