internal import DecidingCore
public import Events

/// The answer to a trigger, with what is logged of it.
public struct ExperimentAnswer: Hashable, Sendable {
  /// The experiment.
  public var experiment: ExperimentID
  /// The variation to show.
  public var variation: VariationID
  /// The reason for the variation.
  public var reason: Reason
  /// The probability with which it was chosen; nil when unknown.
  public var propensity: Double?
  /// The status of the decision.
  public var status: EventStatus
  /// The policy that chose; nil when none was needed.
  public var policy: PolicyID?
}

extension ExperimentClient {
  /// Returns the variation of a user: the saved one, or the one that the user's hash picks, which is then
  /// saved. The user's data and the decision are appended to the log.
  ///
  /// - Parameters:
  ///   - userID: The user's id, 1 to 255 UTF-8 bytes.
  ///   - experimentID: The experiment.
  ///   - track: False saves the assignment without counting it; the next tracked call counts it.
  /// - Returns: The variation to show.
  /// - Throws: ``ExperimentError``; show the reference then.
  /// - Complexity: O(number of the experiment's variations), with one block of SHA-256 for a new user.
  public func triggerExperiment(
    _ userID: String, _ experimentID: ExperimentID, track: Bool = true
  ) throws(ExperimentError) -> VariationID {
    try answer(userID, experimentID, track: track).variation
  }

  /// Triggers an experiment as ``triggerExperiment(_:_:track:)`` does, and returns the details of the
  /// decision.
  ///
  /// - Throws: ``ExperimentError``, as ``triggerExperiment(_:_:track:)`` does.
  public func answer(
    _ userID: String, _ experimentID: ExperimentID, track: Bool = true
  ) throws(ExperimentError) -> ExperimentAnswer {
    try answer(userID, experimentID, track: track, seeing: [])
  }

  /// Triggers an experiment, as ``answer(_:_:track:)`` does, with further data that targeting sees in this call only.
  package func answer(
    _ userID: String, _ experimentID: ExperimentID, track: Bool, seeing data: [any VisitorData]
  ) throws(ExperimentError) -> ExperimentAnswer {
    try perform(for: userID, seeing: data) { transaction throws(ExperimentError) in
      var trial = try trial(userID, experimentID, in: transaction)
      let first = track ? reallocate(&trial, in: transaction) : []
      let outcome = try outcome(of: trial, in: transaction)
      let answer = trial.answer(outcome, track: track)
      // Without consent nothing about the visitor is appended.
      if !lacksConsent(trial, in: transaction) {
        try record(
          trial.payload(of: outcome, answered: answer, track: track), of: trial.unit, after: first,
          in: &transaction)
      }
      if case .notAllocated = outcome { throw ExperimentError.notAllocated(experimentID) }
      return answer
    }
  }

  /// Returns what ``answer(_:_:track:)`` would return. Nothing is appended, drawn or saved.
  ///
  /// - Throws: ``ExperimentError``, as the trigger would.
  public func preview(
    _ userID: String, _ experimentID: ExperimentID
  ) throws(ExperimentError) -> ExperimentAnswer {
    try recorder.perform { transaction throws(ExperimentError) in
      let trial = try trial(userID, experimentID, in: transaction)
      let outcome = try outcome(of: trial, in: transaction)
      if case .notAllocated = outcome { throw ExperimentError.notAllocated(experimentID) }
      return trial.answer(outcome, track: true)
    }
  }

  /// Reallocates the traffic of an experiment with a policy, when that is due.
  ///
  /// - Returns: The events of the reallocation, which precede the decision made with the new shares.
  private func reallocate(_ trial: inout Trial, in transaction: Transaction<ExperimentsState>)
    -> [Event]
  {
    guard trial.plan.isMoving else { return [] }
    let plan = trial.plan
    guard
      let reallocation = plan.dueReallocation(
        in: transaction.state, siteCode: siteCode, at: transaction.now),
      let moved = plan.moved(to: reallocation.deviations)
    else { return [] }
    trial.plan = moved
    return [transaction.event("", plan.payload(of: reallocation, siteCode: siteCode))]
  }

  /// Performs the first four checks: ready, user id, experiment, site enabled.
  private func trial(
    _ userID: String, _ id: ExperimentID, in transaction: Transaction<ExperimentsState>
  ) throws(ExperimentError) -> Trial {
    guard let plan = transaction.state.sites.read(TextKey(siteCode), { $0.plan(of: id) }) ?? nil
    else {
      _ = try site(in: transaction.state)
      _ = try unit(userID)
      throw .experimentConfigurationNotFound(id)
    }
    let unit = try unit(userID)
    guard plan.isEnabled else { throw .siteCodeDisabled(siteCode) }
    let (saved, forced) = transaction.state.memory(of: unit, in: id)
    return Trial(unit: unit, plan: plan, saved: saved, forced: forced)
  }

  /// Performs the other checks: override, holdout, groups, schedule; targeting; consent; saved or picked.
  private func outcome(
    of trial: Trial, in transaction: Transaction<ExperimentsState>
  ) throws(ExperimentError) -> Trial.Outcome {
    let id = trial.experiment
    let forced = override(of: trial, in: transaction)
    if let forced, transaction.state.targetedOverrides[id]?[trial.unit] != true {
      return .forced(forced)
    }
    if forced == nil, isRestricted,
      let refusal = settings.restrictions.refusal(of: trial.unit, in: id, at: transaction.now)
    {
      return .kept(refusal)
    }
    if trial.plan.experiment.targeting != nil {
      let facts = facts(of: trial.unit, in: transaction)
      let isTargeted = transaction.state.sites[TextKey(siteCode)]?.parts.isTargeted(
        trial.plan.experiment, facts)
      if isTargeted == false { throw .notTargeted(id) }
    }
    if let forced { return .forced(forced) }
    if lacksConsent(trial, in: transaction) {
      guard trial.plan.consent == .partial else { throw .consentRequired }
      return .kept(.noConsent)
    }
    return trial.savedOrPicked
  }

  /// Returns whether required consent is missing. A personalization is a targeted delivery, which does not
  /// need it.
  private func lacksConsent(_ trial: Trial, in transaction: Transaction<ExperimentsState>) -> Bool {
    trial.plan.consent != .none && trial.plan.experiment.kind == .experiment
      && transaction.state.visitors[trial.unit]?.knowledge.consent != true
  }

  /// Returns the forced variation, if the experiment has it.
  private func override(of trial: Trial, in transaction: Transaction<ExperimentsState>)
    -> VariationID?
  {
    let id = trial.experiment
    guard let forced = transaction.state.overrides.variant(for: trial.unit, in: id) else {
      return nil
    }
    guard trial.plan.index(of: forced) == nil else { return forced }
    warn(
      "experiment \"\(id)\" has no variation \"\(forced)\", which is forced upon a user; "
        + "the override is passed over, end it or add the variation")
    return nil
  }
}
