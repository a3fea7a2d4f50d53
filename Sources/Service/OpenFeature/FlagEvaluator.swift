internal import DecidingAgents
internal import DecidingCore
internal import DecidingExperiments
internal import DecidingRollouts
internal import Events
internal import Specifications

/// Evaluates the flags of all systems for one context. A key is looked up among the flags of the sites, then their
/// experiments, the rollouts and the agents.
struct FlagEvaluator {
  let systems: Systems
  let context: FlagContext
  /// Whether the flags are prefetched: their decisions are provisional, and count once they are evaluated one by one.
  let isPrefetch: Bool

  /// An error of writing, which is not the caller's.
  struct NotRecorded: Error {
    let reason: String
  }

  var rule: FlagValueRule {
    FlagValueRule(variableKey: context.variableKey, isStrict: !isPrefetch)
  }

  /// Evaluates the flag with the key.
  ///
  /// - Throws: ``FlagProblem`` if it cannot be evaluated, ``NotRecorded`` if the log cannot be written.
  func evaluate(_ key: String) throws -> FlagEvaluation {
    for site in systems.sites {
      if let evaluation = try flag(key, of: site) { return evaluation }
    }
    for site in systems.sites {
      if let evaluation = try experiment(key, of: site) { return evaluation }
    }
    if let evaluation = try rollout(key) ?? agent(key) { return evaluation }
    throw FlagProblem(
      .flagNotFound, "there is no flag \"\(key)\"" + NearestName.remedy(for: key, among: keys))
  }

  /// Evaluates all flags. Of several with the same key, the first is evaluated, as by ``evaluate(_:)``.
  ///
  /// - Returns: For each key an evaluation, or the problem of this flag.
  /// - Throws: ``NotRecorded`` if the log cannot be written; ``FlagProblem`` for a problem of all flags.
  func evaluateAll() throws -> [JSONValue] {
    try keys.map { key in
      do {
        return try evaluate(key).json
      } catch var problem as FlagProblem {
        // The entry of a flag has no code for one that is gone, or that has nothing to decide.
        if problem.code == .flagNotFound { problem.code = .general }
        return problem.json(key: key)
      }
    }
  }

  /// The keys of all flags that are configured, in the order in which they are looked up, without duplicates.
  var keys: [String] {
    var keys = systems.sites.flatMap(\.flagKeys)
    keys += systems.sites.flatMap { $0.experimentIDs.map(\.rawValue) }
    keys += systems.rollouts.configuration?.experiments.map(\.name.rawValue) ?? []
    keys += systems.agents.codes.filter { code in
      systems.agents.definition(of: code)?.points.isEmpty == false
    }
    var seen: Set<TextKey> = []
    return keys.filter { seen.insert(TextKey($0)).inserted }
  }
}

// MARK: - Sites

extension FlagEvaluator {
  /// Evaluates a flag of a site; nil if the site does not have it.
  private func flag(_ key: String, of site: ExperimentClient) throws -> FlagEvaluation? {
    let variants = site.variables(ofFlag: key)
    try rule.check(variants.map { JSONObject($0.variables) })
    let variation: FlagVariation
    do throws(ExperimentError) {
      variation = try site.variation(
        of: key, for: context.targetingKey, track: !isPrefetch, seeing: context.visitorData)
    } catch .featureNotFound {
      return nil
    } catch {
      return try outside(key, .experiments, FlagVariation.off, error)
    }
    var evaluation = FlagEvaluation(
      key: key, variant: variation.key,
      value: try rule.value(
        of: variation.key, among: variants.map(\.variation.rawValue),
        variables: JSONObject(variation.variables)),
      reason: variation.reason, propensity: variation.propensity,
      experiment: variation.experiment?.rawValue ?? key, system: .experiments)
    evaluation.metadata["rule"] = variation.rule.map { .string($0) }
    evaluation.metadata["site"] = .string(site.siteCode)
    return evaluation
  }

  /// Evaluates an experiment of a site; nil if the site does not have it.
  private func experiment(_ key: String, of site: ExperimentClient) throws -> FlagEvaluation? {
    let id = ExperimentID(key)
    let answer: ExperimentAnswer
    do throws(ExperimentError) {
      answer = try site.answer(
        context.targetingKey, id, track: !isPrefetch, seeing: context.visitorData)
    } catch .experimentConfigurationNotFound {
      return nil
    } catch {
      return try outside(key, .experiments, VariationID.reference.rawValue, error)
    }
    let variations = site.variations(ofExperiment: id).map(\.rawValue)
    let variant = answer.variation.rawValue
    var evaluation = FlagEvaluation(
      key: key, variant: variant,
      value: variations.contains(variant) ? try rule.value(of: variant, among: variations) : nil,
      reason: answer.reason, propensity: answer.propensity, experiment: key, system: .experiments)
    evaluation.metadata["site"] = .string(site.siteCode)
    return evaluation
  }

  /// Returns the evaluation for a user who is in no variation, so that the application's default applies.
  ///
  /// - Throws: The error, if it is no reason to be in no variation.
  private func outside(
    _ key: String, _ system: SystemID, _ variant: String, _ error: ExperimentError
  ) throws -> FlagEvaluation {
    let reason: Reason
    switch error {
    case .notTargeted: reason = .notTargeted
    case .notAllocated: reason = .notAllocated
    case .consentRequired: reason = .noConsent
    case .siteCodeDisabled, .featureDisabled: reason = .disabled
    case .notRecorded(let reason): throw NotRecorded(reason: reason)
    case .visitorCodeInvalid:
      throw FlagProblem(.invalidContext, "context.targetingKey: \(error)")
    default: throw FlagProblem(.general, error.description)
    }
    return FlagEvaluation(
      key: key, variant: variant, value: nil, reason: reason, propensity: nil, experiment: key,
      system: system)
  }
}

// MARK: - Rollouts

extension FlagEvaluator {
  /// Evaluates a rollout; nil if there is none of the name.
  private func rollout(_ key: String) throws -> FlagEvaluation? {
    guard let experiment = systems.rollouts.configuration?[ExperimentID(key)] else { return nil }
    let rollouts = Rollouts(
      unit: context.targetingKey, like: systems.rollouts, locale: context.locale)
    let result = try rolloutResult(key, rollouts)
    if case .notRecorded(let reason) = result.error { throw NotRecorded(reason: reason) }
    let variants = (experiment.variants ?? []).map(\.name.rawValue)
    guard let variant = result.variant?.rawValue else {
      // The default is that of the application, except where it is a variant.
      let hasOff = variants.contains(FlagVariation.off)
      return FlagEvaluation(
        key: key, variant: FlagVariation.off,
        value: hasOff ? try rule.value(of: FlagVariation.off, among: variants) : nil,
        reason: result.reason, propensity: nil, experiment: key, system: .rollouts)
    }
    return FlagEvaluation(
      key: key, variant: variant, value: try rule.value(of: variant, among: variants),
      reason: result.reason, propensity: result.propensity, experiment: key, system: .rollouts)
  }

  private func rolloutResult(_ key: String, _ rollouts: Rollouts) throws -> RolloutResult {
    guard isPrefetch else {
      return rollouts.result(experiment: key, default: FlagVariation.off)
    }
    switch rollouts.preview(experiment: key, default: FlagVariation.off) {
    case .answer(let result): return result
    case .draw:
      throw FlagProblem(
        .general,
        "the variant of \"\(key)\" is drawn at its first evaluation; evaluate it by itself"
      )
    }
  }
}

// MARK: - Agents

extension FlagEvaluator {
  /// Evaluates an agent; nil if there is no such agent, or its choices are unknown.
  private func agent(_ key: String) throws -> FlagEvaluation? {
    var request = DecisionRequest(agent: key, session: context.targetingKey)
    request.point = context.point ?? onlyPoint(of: key)
    guard systems.agents.knowsChoices(of: request) else {
      guard systems.agents.definition(of: key)?.points.isEmpty == false else { return nil }
      let points = systems.agents.definition(of: key)?.points.map(\.code) ?? []
      throw FlagProblem(
        .invalidContext,
        "the agent \"\(key)\" has no choices at the point \"\(request.point ?? "point-1")\""
          + NearestName.remedy(for: request.point ?? "", among: points)
          + "; name it as context.point")
    }
    try checkChoices(of: key, at: request.point)
    request.status = isPrefetch ? .provisional : .confirmed
    request.segment = context.text("segment")
    request.inputs = context.attributes
    request.isPrefetch = isPrefetch
    let reply: DecisionReply
    do throws(AgentError) {
      reply = try systems.agents.decide(request)
    } catch .notRecorded(let reason) {
      throw NotRecorded(reason: reason)
    } catch {
      throw FlagProblem(.general, error.description)
    }
    return try evaluation(of: reply)
  }

  /// The point of an agent that has only one; nil for the standard one.
  private func onlyPoint(of agent: String) -> String? {
    guard let points = systems.agents.definition(of: agent)?.points, points.count == 1 else {
      return nil
    }
    return points[0].code
  }

  /// Throws if the value of a choice cannot be sent: that of an attribute, where the only slot of a point decides.
  private func checkChoices(of agent: String, at point: String?) throws(FlagProblem) {
    let code = point ?? PointID.standard.rawValue
    let points = systems.agents.definition(of: agent)?.points ?? []
    guard let slots = points.first(where: { $0.code == code })?.slots, slots.count == 1,
      slots[0].code != rule.variableKey
    else { return }
    try rule.check(slots[0].choices.map(\.meta))
  }

  private func evaluation(of reply: DecisionReply) throws(FlagProblem) -> FlagEvaluation? {
    guard let first = reply.decisions.first else { return nil }
    if let slot = rule.variableKey.flatMap({ reply[$0] }) {
      return evaluation(of: reply, slot, .string(slot.code), slot.code)
    }
    guard reply.decisions.count > 1 else {
      let value = try rule.value(of: first.code, among: first.choices, variables: first.meta)
      return evaluation(of: reply, first, value, first.code)
    }
    let slots = reply.decisions.map {
      JSONObject.Member(name: $0.slot, value: .string($0.code))
    }
    let variant = reply.decisions.map { "\($0.slot):\($0.code)" }.joined(separator: "/")
    return evaluation(of: reply, first, .object(JSONObject(slots)), variant)
  }

  private func evaluation(
    of reply: DecisionReply, _ decision: AgentDecision, _ value: JSONValue, _ variant: String
  ) -> FlagEvaluation {
    let propensity = reply.decisions.count == 1 ? decision.propensity : nil
    var evaluation = FlagEvaluation(
      key: reply.agent, variant: variant, value: value, reason: decision.reason,
      propensity: propensity, experiment: reply.agent, system: .agents)
    evaluation.metadata["point"] = .string(reply.point)
    if variant == decision.code { evaluation.metadata["name"] = decision.name.map { .string($0) } }
    return evaluation
  }
}

extension JSONObject {
  /// Creates an object with the variables of a variation.
  fileprivate init(_ variables: [TextKey: FlagVariable]) {
    self.init(variables.values.map { Member(name: $0.key, value: $0.value) })
  }
}
