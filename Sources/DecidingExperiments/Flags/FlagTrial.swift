internal import DecidingCore
internal import Events

/// What a flag gives a user, before it is compared with what the user had.
struct FlagOutcome: Sendable {
  var variation: VariationID
  var reason: Reason
  var propensity: Double = 1
  /// The rule that gave it; nil for the flag's own.
  var rule: FlagRule?
  var policy: PolicyID?
  /// Whether the log must not hear of it: without consent, and of a simulation.
  var isSilent = false

  /// Whether the user is given something, as opposed to the default.
  var isAssignment: Bool { [.hash, .delivered, .adaptive].contains(reason) }
}

/// One user at one flag, while a call is answered.
struct FlagTrial: Sendable {
  /// A variation that is forced upon the user.
  struct Override: Sendable {
    let variation: VariationID
    /// Whether the targeting is asked nevertheless.
    let asksTargeting: Bool
    /// Whether the log does not hear of it.
    let isSimulated: Bool
  }

  let flag: FlagPlan
  /// What targeting may know; only where a rule of the flag has a targeting.
  let facts: VisitorFacts?
  /// The best variations of the user, by experiment.
  let scores: [ExperimentID: [[VariationID]]]
  /// What is hashed.
  let code: String
  /// Whether the user must consent before anything is counted, and has not.
  let lacksConsent: Bool
  /// Whether a call throws then.
  let isBlockedCompletely: Bool
  /// Variations forced upon the user, by flag or experiment; only those of this flag are here.
  let overrides: [ExperimentID: Override]
  /// Why the client keeps the user out; nil when it does not.
  let refusal: Reason?
  let holdout: FlagHoldout?

  /// What the flag gives: a forced variation, nothing to those held out or in another flag of a group, what the
  /// first rule says that fits, or the default.
  ///
  /// - Throws: ``ExperimentError/consentRequired``.
  func outcome() throws(ExperimentError) -> FlagOutcome {
    if let forced = overrides[flag.key], flag.variables[forced.variation] != nil {
      return silent(
        FlagOutcome(variation: forced.variation, reason: .forced), forced.isSimulated)
    }
    if let refusal { return standard(refusal) }
    if let holdout, holdout.holds(code) { return standard(.holdout) }
    if flag.groups.contains(where: { $0.excludes(code) }) { return standard(.exclusionGroup) }
    var missed = 1.0
    for rule in flag.rules {
      let forced = overrides[rule.experiment].flatMap {
        rule.choices.contains($0.variation) ? $0 : nil
      }
      if let forced, !forced.asksTargeting { return self.forced(forced, rule) }
      if let segment = rule.segment, let facts, !segment.isMet(by: facts, asking: flag.key) {
        continue
      }
      if let forced { return self.forced(forced, rule) }
      if rule.isExposed(code) {
        if rule.kind == .experiment, lacksConsent {
          if isBlockedCompletely { throw .consentRequired }
          return standard(.noConsent)
        }
        if let outcome = scored(rule) ?? given(rule) { return outcome }
      }
      missed *= rule.rest
      if rule.kind == .delivery { break }
    }
    return standard(.default, missed)
  }

  /// The best variation of the rule by the user's scores; nil without scores for its experiment.
  private func scored(_ rule: FlagRule) -> FlagOutcome? {
    guard !scores.isEmpty, let groups = scores[rule.experiment] else { return nil }
    for group in groups {
      let shared = rule.choices.filter { group.contains($0) }
      guard !shared.isEmpty else { continue }
      let index =
        shared.count == 1 ? 0 : Shares.index(of: rule.place(of: code), below: shared.count)
      return FlagOutcome(
        variation: shared[index], reason: .adaptive, propensity: 1 / Double(shared.count),
        rule: rule, policy: FlagRule.scoresPolicy)
    }
    return nil
  }

  /// What the rule gives by itself.
  private func given(_ rule: FlagRule) -> FlagOutcome? {
    if rule.kind == .delivery, let first = rule.choices.first {
      return FlagOutcome(
        variation: first, reason: .delivered, rule: rule, policy: FlagRule.deliveryPolicy)
    }
    guard let index = Shares.pick(rule.place(of: code), from: rule.deviations) else { return nil }
    return FlagOutcome(
      variation: rule.choices[index], reason: .hash, propensity: rule.deviations[index],
      rule: rule, policy: FlagRule.weightsPolicy)
  }

  private func forced(_ forced: Override, _ rule: FlagRule) -> FlagOutcome {
    silent(
      FlagOutcome(variation: forced.variation, reason: .forced, rule: rule), forced.isSimulated)
  }

  private func standard(_ reason: Reason, _ propensity: Double = 1) -> FlagOutcome {
    silent(
      FlagOutcome(variation: flag.defaultVariation, reason: reason, propensity: propensity), false)
  }

  /// The outcome, of which the log does not hear without consent, or when it is told so.
  private func silent(_ outcome: FlagOutcome, _ isSilent: Bool) -> FlagOutcome {
    var outcome = outcome
    outcome.isSilent = isSilent || lacksConsent
    return outcome
  }
}

/// What is answered and appended, once an outcome is compared with what the user had.
struct FlagAnswer: Sendable {
  let variation: FlagVariation
  /// What the log gets to hear; nil is nothing.
  let payload: Payload?

  /// Compares an outcome with the saved assignment and the forced variation that was shown before.
  init(
    _ outcome: FlagOutcome, of flag: FlagPlan, saved: Assignment?, shown: VariationID?, track: Bool
  ) {
    let rule = outcome.rule
    var (reason, status): (Reason, EventStatus) = (outcome.reason, .excluded)
    var (propensity, policy): (Double?, PolicyID?) = (outcome.propensity, outcome.policy)
    var confirms = false
    if reason == .forced {
      status = shown == outcome.variation ? .repeated : .confirmed
    } else if outcome.isAssignment {
      if let saved, saved.variation == outcome.variation, saved.rule == rule?.id,
        saved.experiment == rule?.experiment
      {
        (reason, propensity, policy) = (.sticky, saved.propensity, saved.policy)
        confirms = saved.isProvisional
        status = confirms ? (track ? .confirmed : .provisional) : .repeated
      } else {
        status = track ? .confirmed : .provisional
        if let saved, reason == .hash, saved.variation != outcome.variation {
          reason = .reallocated
        }
      }
    }
    variation = FlagVariation(
      flag: flag.key.rawValue, key: outcome.variation.rawValue, rule: rule?.id,
      experiment: rule?.experiment, variables: flag.variables[outcome.variation] ?? [:],
      reason: reason, propensity: propensity, status: status, policy: policy)
    let isNew = outcome.isAssignment && reason != .sticky
    if outcome.isSilent || !track && !isNew {
      payload = nil
    } else if confirms {
      payload = .decisionConfirmed(DecisionConfirmed(experiment: flag.key))
    } else {
      payload = .decision(
        Decision(
          experiment: flag.key, variant: outcome.variation, choices: rule?.choices,
          propensity: propensity, policy: policy, reason: reason.rawValue, status: status,
          context: rule?.context))
    }
  }
}
