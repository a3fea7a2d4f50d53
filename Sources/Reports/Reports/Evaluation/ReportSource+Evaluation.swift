internal import EventLog
internal import Replay

extension ReportSource {
  /// Returns the estimated values of target policies in each selected experiment that has decisions.
  ///
  /// - Throws: ``ReportError`` for a database.
  func evaluations(_ plan: OffPolicyPlan) throws -> [Evaluation] {
    if let plans = try evaluationsOfParts([plan]) { return plans[0] }
    let replay = try replayedLog()
    return try evaluatedExperiments(replay).compactMap { experiment in
      let evaluation = try replay.log.evaluate(
        replay.selection, experiment: experiment, plan)
      return evaluation.ledger == EvaluationLedger() ? nil : evaluation
    }
  }

  /// Returns the estimates of several plans, none with learning policies, that read the same of the log.
  ///
  /// - Returns: By plan, the estimates in each selected experiment that has decisions.
  /// - Throws: ``ReportError`` for a database.
  func evaluations(ofEach plans: [OffPolicyPlan]) throws -> [[Evaluation]] {
    if let plans = try evaluationsOfParts(plans) { return plans }
    let replay = try replayedLog()
    let all = try evaluatedExperiments(replay).map {
      try replay.log.evaluateTogether(replay.selection, experiment: $0, plans)
    }
    return Self.byPlan(all, plans)
  }

  /// Returns the estimates of several plans where states are exchanged with other parts of the log; nil elsewhere.
  ///
  /// - Throws: ``ReportError`` unless a single experiment is selected.
  private func evaluationsOfParts(_ plans: [OffPolicyPlan]) throws -> [[Evaluation]]? {
    switch origin {
    case .log(let replay, let selection):
      guard replay.exchange != nil else { return nil }
      let experiment = try onlyExperiment(selection)
      return Self.byPlan(
        [try replay.evaluateTogether(selection, experiment: experiment, plans)], plans)
    case .merged(let units, let selection, _):
      let experiment = try onlyExperiment(selection)
      return Self.byPlan(
        [try units.evaluateTogether(selection, experiment: experiment, plans)], plans)
    case .database: return nil
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

  private func evaluatedExperiments(
    _ replay: (log: LogReplay, selection: UnitSelection)
  ) -> [UInt32] {
    let all = names.texts(.experiments).compactMap { names.code(of: $0, in: .experiments) }
    return (replay.selection.experiments ?? Set(all)).sorted()
  }

  private static func byPlan(
    _ evaluations: [[Evaluation]], _ plans: [OffPolicyPlan]
  ) -> [[Evaluation]] {
    plans.indices.map { plan in
      evaluations.map { $0[plan] }.filter { $0.ledger != EvaluationLedger() }
    }
  }
}
