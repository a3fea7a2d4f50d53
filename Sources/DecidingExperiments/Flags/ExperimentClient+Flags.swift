internal import DecidingCore
internal import Events
internal import Threads

// Flags stand in the configuration beside the experiments:
//
//     "flags":[{"id":1,"key":"search","enabled":true,"default":"off","bucketing":3,
//       "schedules":[{"from":1600000000,"to":1700000000}],
//       "variables":[{"key":"limit","type":"NUMBER","value":10}],
//       "variations":[{"key":"off"},{"key":"on","variables":{"limit":20}}],
//       "rules":[{"id":501,"experiment":7001,"type":"experiment","exposition":0.5,"respool":0,
//         "targeting":"vip","variations":[{"key":"off","deviation":0.5},{"key":"on","deviation":0.5}]}]}],
//     "holdout":{"id":"holdout-1","variations":[{"key":"in-holdout","deviation":0.1}]},
//     "groups":[{"name":"group1","flags":["search","basket"]}],
//     "segments":[{"id":"vip","groups":[…]}], "consent":"partial"
extension ExperimentClient {
  /// Returns the variation of a flag for the user: a forced one; else the default for users in the holdout or
  /// in another flag of an exclusion group; else that of the first matching rule; else the default. The
  /// user's data and the decision are appended to the log.
  ///
  /// - Parameters:
  ///   - flag: The flag's key.
  ///   - userID: The user's id, 1 to 255 UTF-8 bytes.
  ///   - track: False saves an assignment without counting it; the next tracked call counts it.
  /// - Returns: The variation with its variables, and the reason for it.
  /// - Throws: ``ExperimentError``: ``ExperimentError/featureNotFound(_:)``,
  ///   ``ExperimentError/featureDisabled(_:)`` also outside the flag's schedules,
  ///   ``ExperimentError/consentRequired`` where missing consent blocks completely; treat the feature as
  ///   inactive then.
  /// - Complexity: O(number of the flag's rules and their conditions), with up to two hashes for each rule.
  public func variation(
    of flag: String, for userID: String, track: Bool = true
  ) throws(ExperimentError) -> FlagVariation {
    try variation(of: flag, for: userID, track: track, seeing: [])
  }

  /// Returns the variation of a flag, as ``variation(of:for:track:)`` does, with further data that targeting sees in
  /// this call only.
  package func variation(
    of flag: String, for userID: String, track: Bool, seeing data: [any VisitorData]
  ) throws(ExperimentError) -> FlagVariation {
    try perform(for: userID, seeing: data) { transaction throws(ExperimentError) in
      let (plan, unit) = try self.flag(
        flag, for: userID, in: transaction.state, at: transaction.now)
      let answer = try answer(plan, of: unit, track: track, in: transaction)
      if let payload = answer.payload { try record(payload, of: unit, in: &transaction) }
      return answer.variation
    }
  }

  /// Returns what ``variation(of:for:track:)`` would return. Nothing is appended or saved.
  ///
  /// - Throws: ``ExperimentError``, as ``variation(of:for:track:)`` would.
  public func previewVariation(
    of flag: String, for userID: String
  ) throws(ExperimentError) -> FlagVariation {
    try recorder.perform { transaction throws(ExperimentError) in
      let (plan, unit) = try self.flag(
        flag, for: userID, in: transaction.state, at: transaction.now)
      return try answer(plan, of: unit, track: true, in: transaction).variation
    }
  }

  /// Returns whether the feature is active for the user, that is, the variation is not `off`. A disabled flag
  /// is inactive, and nothing is appended.
  ///
  /// - Throws: ``ExperimentError``, as ``variation(of:for:track:)``, except
  ///   ``ExperimentError/featureDisabled(_:)``.
  public func isActive(
    _ flag: String, for userID: String, track: Bool = true
  ) throws(ExperimentError) -> Bool {
    do throws(ExperimentError) {
      return try variation(of: flag, for: userID, track: track).isActive
    } catch .featureDisabled {
      return false
    }
  }

  /// Returns a variable of the user's variation; the decision is appended as by ``variation(of:for:track:)``.
  ///
  /// - Throws: ``ExperimentError``, as ``variation(of:for:track:)``, and
  ///   ``ExperimentError/variableNotFound(_:)``.
  public func variable(
    _ name: String, of flag: String, for userID: String, track: Bool = true
  ) throws(ExperimentError) -> FlagVariable {
    let variation = try variation(of: flag, for: userID, track: track)
    guard let variable = variation.variables[TextKey(name)] else { throw .variableNotFound(name) }
    return variable
  }

  /// Returns the variations of all enabled flags, in the order of their ids, each evaluated independently of
  /// the others' assignments. All decisions are appended to the log as one batch.
  ///
  /// - Parameters:
  ///   - userID: The user's id, 1 to 255 UTF-8 bytes.
  ///   - onlyActive: Whether to omit flags whose variation is `off`.
  ///   - track: False saves assignments without counting them.
  /// - Returns: The variations; each names its flag.
  /// - Throws: ``ExperimentError``, as ``variation(of:for:track:)``; nothing is appended then.
  public func variations(
    for userID: String, onlyActive: Bool = false, track: Bool = true
  ) throws(ExperimentError) -> [FlagVariation] {
    try variations(for: userID, onlyActive: onlyActive, track: track, seeing: [])
  }

  /// Returns the variations of all enabled flags, as ``variations(for:onlyActive:track:)`` does, with further data that
  /// targeting sees in this call only.
  package func variations(
    for userID: String, onlyActive: Bool = false, track: Bool, seeing data: [any VisitorData]
  ) throws(ExperimentError) -> [FlagVariation] {
    try perform(for: userID, seeing: data) { transaction throws(ExperimentError) in
      guard let parts = transaction.state.sites[TextKey(siteCode)]?.parts else {
        throw .sdkNotReady
      }
      let unit = try unit(userID)
      guard parts.isEnabled else { throw .siteCodeDisabled(siteCode) }
      var (answers, payloads): ([FlagVariation], [Payload]) = ([], [])
      for flag in parts.flags where flag.isEnabled(at: transaction.now) {
        let answer = try answer(flag, of: unit, track: track, in: transaction)
        answers.append(answer.variation)
        if let payload = answer.payload { payloads.append(payload) }
      }
      if !payloads.isEmpty { try record(payloads, of: unit, in: &transaction) }
      return onlyActive ? answers.filter(\.isActive) : answers
    }
  }

  /// Performs the checks before a flag is evaluated: ready, user id, flag, site enabled, flag enabled.
  private func flag(
    _ key: String, for userID: String, in state: ExperimentsState, at time: Timestamp
  ) throws(ExperimentError) -> (FlagPlan, UnitID) {
    guard let parts = state.sites[TextKey(siteCode)]?.parts else { throw .sdkNotReady }
    let unit = try unit(userID)
    guard let flag = parts.flag(ExperimentID(key)) else { throw .featureNotFound(key) }
    guard parts.isEnabled else { throw .siteCodeDisabled(siteCode) }
    guard flag.isEnabled(at: time) else { throw .featureDisabled(key) }
    return (flag, unit)
  }

  private func answer(
    _ flag: FlagPlan, of unit: UnitID, track: Bool, in transaction: Transaction<ExperimentsState>
  ) throws(ExperimentError) -> FlagAnswer {
    guard let parts = transaction.state.sites[TextKey(siteCode)]?.parts else { throw .sdkNotReady }
    let visitor = transaction.state.visitors[unit]
    let facts = flag.isTargeted ? facts(of: unit, in: transaction) : nil
    let knowledge = facts?.knowledge ?? knowledge(of: visitor, unit)
    let trial = FlagTrial(
      flag: flag, facts: facts, scores: knowledge.scores,
      code: flag.code(of: unit.rawValue, knowledge), lacksConsent: parts.lacksConsent(knowledge),
      isBlockedCompletely: parts.consent == .complete,
      overrides: overrides(of: flag, for: unit, in: transaction.state),
      refusal: settings.restrictions.refusal(of: unit, in: flag.key, at: transaction.now),
      holdout: parts.holdout)
    return FlagAnswer(
      try trial.outcome(), of: flag, saved: visitor?.assignments[flag.key],
      shown: visitor?.forced[flag.key], track: track)
  }

  /// Returns the accumulated data of the visitor, including buffered data.
  private func knowledge(of visitor: ExperimentsState.Visitor?, _ unit: UnitID) -> VisitorKnowledge {
    var knowledge = visitor?.knowledge ?? VisitorKnowledge()
    for event in buffer.withLock({ $0.known(of: unit) }) { knowledge.apply(event.payload) }
    return knowledge
  }

  /// Returns the forced variations of the user in the flag and in the experiments of its rules.
  private func overrides(
    of flag: FlagPlan, for unit: UnitID, in state: ExperimentsState
  ) -> [ExperimentID: FlagTrial.Override] {
    var overrides: [ExperimentID: FlagTrial.Override] = [:]
    for id in flag.forcible {
      guard let forced = state.overrides.variant(for: unit, in: id) else { continue }
      let isKnown =
        id == flag.key
        ? flag.variables[forced] != nil
        : flag.rules.contains { $0.experiment == id && $0.choices.contains(forced) }
      if !isKnown {
        warn(
          "\"\(id)\" has no variation \"\(forced)\" in the flag \"\(flag.key)\", which is forced upon a "
            + "user; the override is passed over, end it or add the variation")
      }
      overrides[id] = FlagTrial.Override(
        variation: forced, asksTargeting: state.targetedOverrides[id]?[unit] == true,
        isSimulated: state.simulatedOverrides[id]?[unit] == true)
    }
    return overrides
  }
}
