internal import DecidingCore
internal import Events

/// The evaluation of one experiment for one user.
struct Trial: Sendable {
  /// The outcome of a trigger.
  enum Outcome: Sendable {
    /// Excluded by a holdout, a group, a schedule or missing consent: the reference.
    case kept(Reason)
    /// An override.
    case forced(VariationID)
    /// The saved variation of the trial.
    case saved
    /// A new variation: its index, and the reason.
    case picked(Int, Reason)
    /// Not allocated to any variation.
    case notAllocated
  }

  let unit: UnitID
  var plan: ExperimentPlan
  /// The saved variation.
  let saved: Assignment?
  /// The forced variation already shown.
  let forced: VariationID?

  var experiment: ExperimentID { plan.experiment.id }

  /// The variant recorded for users who are not allocated.
  private static let nobody: VariationID = "none"

  /// The saved variation if it is valid: it still exists, and was assigned after its respool time. Otherwise
  /// the one that the hash picks.
  var savedOrPicked: Outcome {
    if let saved = saved?.variation, let index = plan.index(of: saved),
      isLater(than: plan.variations[index].respool)
    {
      return .saved
    }
    guard let index = plan.index(at: plan.place(of: unit.rawValue)) else { return .notAllocated }
    let isMoved = saved != nil && saved?.variation != plan.choices[index]
    return .picked(index, isMoved ? .reallocated : plan.reason)
  }

  /// Returns whether the saved variation was assigned after the time, if there is one.
  private func isLater(than respool: Int64?) -> Bool {
    guard let respool, let time = saved?.time else { return true }
    return time > Timestamp(microseconds: 0).adding(seconds: respool)
  }

  /// Returns the payload to log; nil for none. Without tracking, only a new assignment is logged, as a
  /// provisional one.
  func payload(of outcome: Outcome, answered answer: ExperimentAnswer, track: Bool) -> Payload? {
    switch outcome {
    case .picked: break
    case .saved where track && saved?.isProvisional == true:
      return .decisionConfirmed(DecisionConfirmed(experiment: experiment))
    default: if !track { return nil }
    }
    var choices: [VariationID]? = plan.choices.isEmpty ? nil : plan.choices
    if case .kept = outcome { choices = nil }
    return .decision(
      Decision(
        experiment: experiment, variant: answer.variation, choices: choices,
        propensity: answer.propensity, policy: answer.policy, reason: answer.reason.rawValue,
        status: answer.status))
  }

  /// Returns the outcome as the answer to the caller.
  func answer(_ outcome: Outcome, track: Bool) -> ExperimentAnswer {
    switch outcome {
    case .kept(let reason): answer(.reference, reason, 1, .excluded)
    case .forced(let variation):
      answer(variation, .forced, 1, variation == forced ? .repeated : .confirmed)
    case .saved:
      answer(
        saved?.variation ?? .reference, .sticky, saved?.propensity, savedStatus(track: track),
        saved?.policy)
    case .picked(let index, let reason):
      answer(
        plan.choices[index], reason, plan.deviations[index], track ? .confirmed : .provisional,
        plan.policyID)
    case .notAllocated:
      answer(Self.nobody, .notAllocated, plan.rest, .excluded, plan.policyID)
    }
  }

  private func savedStatus(track: Bool) -> EventStatus {
    guard saved?.isProvisional == true else { return .repeated }
    return track ? .confirmed : .provisional
  }

  private func answer(
    _ variation: VariationID, _ reason: Reason, _ propensity: Double?, _ status: EventStatus,
    _ policy: PolicyID? = nil
  ) -> ExperimentAnswer {
    ExperimentAnswer(
      experiment: experiment, variation: variation, reason: reason, propensity: propensity,
      status: status, policy: policy)
  }
}
