internal import DecidingCore
internal import Events

/// The outcome of a flag for a user, before it is compared with the saved assignment.
struct FlagOutcome: Sendable {
  var variation: VariationID
  var reason: Reason
  var propensity: Double = 1
  /// The rule that assigned it; nil for a default or forced variation of the flag.
  var rule: FlagRule?
  var policy: PolicyID?
  /// Whether nothing is logged: without consent, and in a simulation.
  var isSilent = false

  /// Whether the outcome is an assignment, as opposed to the default.
  var isAssignment: Bool { [.hash, .delivered, .adaptive].contains(reason) }
}

/// The evaluation of one flag for one user.
struct FlagTrial: Sendable {
  /// A forced variation.
  struct Override: Sendable {
    let variation: VariationID
    /// Whether the targeting is still evaluated.
    let asksTargeting: Bool
    /// Whether nothing is logged.
    let isSimulated: Bool
  }

  let flag: FlagPlan
  /// The facts for targeting; nil unless a rule of the flag has a targeting.
  let facts: VisitorFacts?
  /// The user's best variations, by experiment.
  let scores: [ExperimentID: [[VariationID]]]
  /// The code to hash.
  let code: String
  /// Whether required consent is missing.
  let lacksConsent: Bool
  /// Whether missing consent makes calls throw.
  let isBlockedCompletely: Bool
  /// The forced variations of the user in this flag, by flag or experiment.
  let overrides: [ExperimentID: Override]
  /// The reason why a restriction excludes the user; nil when none does.
  let refusal: Reason?
  let holdout: FlagHoldout?

  /// Returns the outcome of the flag: a forced variation, the default for users in the holdout or in another
  /// flag of an exclusion group, that of the first matching rule, or the default.
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

  /// Returns the best variation of the rule by the user's scores; nil without scores for its experiment.
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

  /// Returns the rule's own outcome.
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

  /// Returns the outcome, marked as not to be logged without consent, or when told so.
  private func silent(_ outcome: FlagOutcome, _ isSilent: Bool) -> FlagOutcome {
    var outcome = outcome
    outcome.isSilent = isSilent || lacksConsent
    return outcome
  }
}

/// The answer to the caller and the payload to log, once an outcome is compared with the saved assignment.
struct FlagAnswer: Sendable {
  let variation: FlagVariation
  /// The payload to log; nil for none.
  let payload: Payload?

  /// Compares an outcome with the saved assignment and the forced variation already shown.
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
