public import DecidingCore
public import Events

/// The answer of a trigger, with what the log says of it.
public struct ExperimentAnswer: Hashable, Sendable {
  /// The experiment.
  public var experiment: ExperimentID
  /// What to show.
  public var variation: VariationID
  /// Why.
  public var reason: Reason
  /// The probability with which it was chosen; nil when it is unknown.
  public var propensity: Double?
  /// What became of the decision.
  public var status: EventStatus
  /// What chose; nil when nothing had to.
  public var policy: PolicyID?

  /// Makes an answer.
  public init(
    experiment: ExperimentID, variation: VariationID, reason: Reason, propensity: Double?,
    status: EventStatus, policy: PolicyID? = nil
  ) {
    self.experiment = experiment
    self.variation = variation
    self.reason = reason
    self.propensity = propensity
    self.status = status
    self.policy = policy
  }
}

extension ExperimentClient {
  /// Which variation the user gets: the saved one, or the one that the user's hash picks, which is then saved.
  /// The user's data and the decision are appended to the log.
  ///
  /// - Parameters:
  ///   - userID: The user's id, 1 to 255 UTF-8 bytes.
  ///   - experimentID: The experiment.
  ///   - track: False keeps the assignment without counting it; the next tracked call counts it.
  /// - Returns: What to show.
  /// - Throws: ``ExperimentError``; show the reference then.
  /// - Complexity: O(number of the experiment's variations), with one block of SHA-256 for a new user.
  public func triggerExperiment(
    _ userID: String, _ experimentID: ExperimentID, track: Bool = true
  ) throws(ExperimentError) -> VariationID {
    try answer(userID, experimentID, track: track).variation
  }

  /// As ``triggerExperiment(_:_:track:)``, with what the log says of the decision.
  ///
  /// - Throws: ``ExperimentError``, as the plain form.
  public func answer(
    _ userID: String, _ experimentID: ExperimentID, track: Bool = true
  ) throws(ExperimentError) -> ExperimentAnswer {
    try recorder.perform { turn throws(ExperimentError) in
      var trial = try trial(userID, experimentID, in: turn)
      let first = track ? reallocate(&trial, in: turn) : []
      let outcome = try outcome(of: trial, in: turn)
      let answer = trial.answer(outcome, track: track)
      // Without consent nothing is appended, so that nothing tells of the visitor.
      if !lacksConsent(trial, in: turn) {
        try record(
          trial.payload(of: outcome, answered: answer, track: track), of: trial.unit, after: first,
          in: &turn)
      }
      if case .notAllocated = outcome { throw ExperimentError.notAllocated(experimentID) }
      return answer
    }
  }

  /// What ``answer(_:_:track:)`` would say. Nothing is appended, drawn or saved.
  ///
  /// - Throws: ``ExperimentError``, as the trigger would.
  public func preview(
    _ userID: String, _ experimentID: ExperimentID
  ) throws(ExperimentError) -> ExperimentAnswer {
    try recorder.perform { turn throws(ExperimentError) in
      let trial = try trial(userID, experimentID, in: turn)
      let outcome = try outcome(of: trial, in: turn)
      if case .notAllocated = outcome { throw ExperimentError.notAllocated(experimentID) }
      return trial.answer(outcome, track: true)
    }
  }

  /// Moves the traffic of an experiment that has a policy, when that is due.
  ///
  /// - Returns: The event of it, which goes ahead of the decision that the new shares are true for.
  private func reallocate(_ trial: inout Trial, in turn: Turn<ExperimentsState>) -> [Event] {
    guard trial.plan.isMoving else { return [] }
    let plan = trial.plan
    guard
      let reallocation = plan.dueReallocation(in: turn.state, siteCode: siteCode, at: turn.now),
      let moved = plan.moved(to: reallocation.deviations)
    else { return [] }
    trial.plan = moved
    return [turn.event("", plan.payload(of: reallocation, siteCode: siteCode))]
  }

  /// The first four checks: ready, user id, experiment, site enabled.
  private func trial(
    _ userID: String, _ id: ExperimentID, in turn: Turn<ExperimentsState>
  ) throws(ExperimentError) -> Trial {
    guard let plan = turn.state.sites.read(TextKey(siteCode), { $0.plan(of: id) }) ?? nil else {
      _ = try site(in: turn.state)
      _ = try unit(userID)
      throw .experimentConfigurationNotFound(id)
    }
    let unit = try unit(userID)
    guard plan.isEnabled else { throw .siteCodeDisabled(siteCode) }
    let (saved, forced) = turn.state.memory(of: unit, in: id)
    return Trial(unit: unit, plan: plan, saved: saved, forced: forced)
  }

  /// The other checks: override, holdout, groups, schedule; targeting; consent; saved or picked.
  private func outcome(
    of trial: Trial, in turn: Turn<ExperimentsState>
  ) throws(ExperimentError) -> Trial.Outcome {
    let id = trial.experiment
    let forced = override(of: trial, in: turn)
    if let forced, turn.state.targetedOverrides[id]?[trial.unit] != true {
      return .forced(forced)
    }
    if forced == nil, isRestricted,
      let refusal = settings.restrictions.refusal(of: trial.unit, in: id, at: turn.now)
    {
      return .kept(refusal)
    }
    if trial.plan.experiment.targeting != nil {
      let facts = facts(of: trial.unit, in: turn)
      let isTargeted = turn.state.sites[TextKey(siteCode)]?.parts.isTargeted(
        trial.plan.experiment, facts)
      if isTargeted == false { throw .notTargeted(id) }
    }
    if let forced { return .forced(forced) }
    if lacksConsent(trial, in: turn) {
      guard trial.plan.consent == .partial else { throw .consentRequired }
      return .kept(.noConsent)
    }
    return trial.savedOrPicked
  }

  /// Whether the user must consent before anything is counted, and has not. A personalization is a targeted
  /// delivery, which goes on.
  private func lacksConsent(_ trial: Trial, in turn: Turn<ExperimentsState>) -> Bool {
    trial.plan.consent != .none && trial.plan.experiment.kind == .experiment
      && turn.state.visitors[trial.unit]?.knowledge.consent != true
  }

  /// The forced variation, as far as the experiment has it.
  private func override(of trial: Trial, in turn: Turn<ExperimentsState>) -> VariationID? {
    let id = trial.experiment
    guard let forced = turn.state.overrides.variant(for: trial.unit, in: id) else { return nil }
    guard trial.plan.index(of: forced) == nil else { return forced }
    warn(
      "experiment \"\(id)\" has no variation \"\(forced)\", which is forced upon a user; "
        + "the override is passed over, end it or add the variation")
    return nil
  }
}
