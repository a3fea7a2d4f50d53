internal import EventLog
internal import OffPolicy
internal import Replay

extension ReportSource {
  /// Returns the estimates of several plans that read the same of the log.
  ///
  /// - Returns: By plan, the estimates in each selected experiment that has decisions.
  /// - Throws: ``ReportError`` for a database, and where states are exchanged with other parts of the log unless a
  ///   single experiment is selected.
  func evaluations(_ plans: [OffPolicyPlan]) throws -> [[Evaluation]] {
    if case .merged(let units, let selection, _) = origin {
      let experiment = try onlyExperiment(selection)
      return Self.byPlan(
        [try units.evaluateTogether(selection, experiment: experiment, plans)], plans)
    }
    let (log, selection) = try replayedLog()
    let experiments: [UInt32?] =
      log.exchange == nil ? evaluatedExperiments : [try onlyExperiment(selection)]
    return Self.byPlan(
      try log.evaluate(experiments.map { PlannedExperiment(selection, $0, plans) }), plans)
  }

  /// Returns the estimates of a plan of its own for each of several parts of a log, all of which read the same of it.
  ///
  /// - Returns: For each part, the estimates in the experiments that have decisions.
  /// - Throws: ``ReportError`` for a database.
  static func evaluations(
    _ planned: [(source: ReportSource, plan: OffPolicyPlan)]
  ) throws -> [[Evaluation]] {
    guard let (log, _) = try planned.first?.source.replayedLog() else { return [] }
    let experiments = try planned.map { source, plan in
      let (_, selection) = try source.replayedLog()
      return source.evaluatedExperiments.map { PlannedExperiment(selection, $0, [plan]) }
    }
    var evaluations = try log.evaluate(Array(experiments.joined()))[...]
    return experiments.map { own in
      defer { evaluations = evaluations.dropFirst(own.count) }
      return evaluations.prefix(own.count).joined().filter { $0.ledger != EvaluationLedger() }
    }
  }

  private func onlyExperiment(_ selection: UnitSelection) throws(ReportError) -> UInt32? {
    guard let experiments = selection.experiments, experiments.count <= 1 else {
      throw ReportError(
        .badParameter,
        "evaluate is made of parts of a log for one experiment at a time; name one with --experiment"
      )
    }
    return experiments.first
  }

  private func replayedLog() throws(ReportError) -> (log: LogReplay, selection: UnitSelection) {
    guard case .log(let replay, let selection) = origin else {
      throw ReportError(
        .needsLog,
        "\(path) is a database, which does not store the choices of decisions that this report needs; give the log "
          + "itself"
      )
    }
    return (replay, selection)
  }

  /// The codes of the selected experiments that the log has.
  private var evaluatedExperiments: [UInt32] {
    let all = names.texts(.experiments).compactMap { names.code(of: $0, in: .experiments) }
    return (experiments ?? Set(all)).sorted()
  }

  private static func byPlan(
    _ evaluations: [[Evaluation]], _ plans: [OffPolicyPlan]
  ) -> [[Evaluation]] {
    plans.indices.map { plan in
      evaluations.map { $0[plan] }.filter { $0.ledger != EvaluationLedger() }
    }
  }
}
