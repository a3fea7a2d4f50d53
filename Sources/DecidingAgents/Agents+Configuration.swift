public import Bandits
internal import DecidingCore
internal import Events

extension Agents {
  // MARK: Definitions

  /// Defines an agent, or replaces its definition, keeping its sessions, what it has learned, and whether it
  /// is paused or stopped. Does nothing when the definition is unchanged.
  ///
  /// - Throws: ``AgentError`` when the definition is invalid, or the sink does not accept the event.
  public func define(_ agent: AgentDefinition) throws(AgentError) {
    try agent.validate(policies: settings.policies)
    try configure(agent.agent, .defined, createsAgent: true) { $0.definition = agent }
  }

  /// Removes an agent with its sessions and everything it has learned.
  ///
  /// - Throws: ``AgentError/unknownAgent(_:)``, or ``AgentError/notRecorded(_:)``.
  public func remove(_ agent: String) throws(AgentError) {
    try configure(agent, .removed) { _ in }
  }

  /// Discards what an agent has learned. Sessions keep their choices, which no longer earn rewards.
  ///
  /// - Throws: ``AgentError/unknownAgent(_:)``, or ``AgentError/notRecorded(_:)``.
  public func resetLearning(_ agent: String) throws(AgentError) {
    try configure(agent, .learningReset) { _ in }
  }

  // MARK: Pausing

  /// Pauses an agent: every session gets the given choice, and nothing is recorded, until the agent is
  /// resumed.
  ///
  /// - Throws: ``AgentError``, also when there is no such agent.
  public func pause(_ agent: String, on choice: String) throws(AgentError) {
    try pause(agent, AgentPause(on: choice), for: nil)
  }

  /// Pauses an agent on one choice for each of the given slots; other slots get their first choice.
  ///
  /// - Throws: ``AgentError``, also when there is no such agent.
  public func pause(_ agent: String, on slots: [String: String]) throws(AgentError) {
    try pause(agent, AgentPause(on: slots), for: nil)
  }

  /// Pauses an agent on one choice for the given sessions. Other sessions are unaffected.
  ///
  /// - Throws: ``AgentError``, also when there is no such agent.
  public func pause(_ agent: String, on choice: String, for sessions: [String]) throws(AgentError) {
    try pause(agent, AgentPause(on: choice), for: sessions)
  }

  /// Pauses an agent for the given sessions, on one choice for each of the given slots; other slots get their
  /// first choice.
  ///
  /// - Throws: ``AgentError``, also when there is no such agent.
  public func pause(_ agent: String, on slots: [String: String], for sessions: [String])
    throws(AgentError)
  {
    try pause(agent, AgentPause(on: slots), for: sessions)
  }

  /// Pauses an agent for the given sessions; for all when nil.
  ///
  /// - Throws: ``AgentError``, also when there is no such agent.
  package func pause(_ agent: String, _ pause: AgentPause, for sessions: [String]?) throws(AgentError) {
    if let choice = pause.choice { try AgentCode.check(choice, role: .choice) }
    // Sorted, so that the error thrown is deterministic when several slots are invalid.
    for (slot, choice) in pause.slots.sorted(by: { $0.key < $1.key }) {
      try AgentCode.check(slot, role: .slot)
      try AgentCode.check(choice, role: .choice)
    }
    for session in sessions ?? [] { try AgentCode.check(session, role: .session) }
    try configure(agent, .paused) { configuration in
      guard let sessions else {
        configuration.activity.isStopped = false
        configuration.activity.pause = pause
        return
      }
      for session in sessions { configuration.activity.sessionPauses[UnitID(session)] = pause }
    }
  }

  /// Resumes a paused or stopped agent, and ends the pauses of single sessions too.
  ///
  /// - Throws: ``AgentError/unknownAgent(_:)``, or ``AgentError/notRecorded(_:)``.
  public func resume(_ agent: String) throws(AgentError) {
    try configure(agent, .resumed) { $0.activity = AgentActivity() }
  }

  /// Resumes an agent for the given sessions.
  ///
  /// - Throws: ``AgentError/unknownAgent(_:)``, or ``AgentError/notRecorded(_:)``.
  public func resume(_ agent: String, for sessions: [String]) throws(AgentError) {
    try configure(agent, .resumed) { configuration in
      for session in sessions { configuration.activity.sessionPauses[UnitID(session)] = nil }
    }
  }

  /// Stops an agent: every session gets the first choice, and nothing is recorded, until the agent is
  /// resumed.
  ///
  /// - Throws: ``AgentError``, also when there is no such agent.
  public func stop(_ agent: String) throws(AgentError) {
    try configure(agent, .stopped) { configuration in
      configuration.activity.isStopped = true
      configuration.activity.pause = nil
    }
  }

  /// Appends the changed configuration of an agent, unless nothing changed.
  private func configure(
    _ agent: String, _ verb: AgentConfiguration.Verb, createsAgent: Bool = false,
    _ change: (inout AgentConfiguration) -> Void
  ) throws(AgentError) {
    try AgentCode.check(agent, role: .agent)
    let id = ExperimentID(agent)
    try recorder.perform { transaction throws(AgentError) in
      guard transaction.state.agents[id] != nil || createsAgent else { throw .unknownAgent(agent) }
      let old = transaction.state.configuration(of: id)
      var new = old ?? AgentConfiguration(definition: .init(agent), activity: .init())
      change(&new)
      let json = verb == .removed ? .null : new.json
      if verb != .removed { try AgentConfiguration.requireReadable(json) }
      let changed =
        verb == .learningReset ? ["learning"] : Self.changes(from: old?.json ?? .null, to: json)
      guard !changed.isEmpty || verb == .removed else { return }
      try Self.record(
        [
          .configurationApplied(
            ConfigurationApplied(
              system: AgentsState.system, experiment: id, reason: verb.rawValue, changed: changed,
              configuration: json.typedText))
        ], "", &transaction)
    }
  }

  /// Returns the keys of the members that differ, ascending.
  private static func changes(from old: JSONValue, to new: JSONValue) -> [String] {
    (new.object ?? [:]).namesOfDifferences(from: old.object ?? [:])
  }

  // MARK: Overrides

  /// Forces a choice for a session. The override takes precedence over everything except a paused or stopped
  /// agent. The choice is recorded with the reason `forced`, nothing is learned from it, and after the
  /// override ends the session gets a new decision.
  ///
  /// - Throws: ``AgentError``.
  public func force(_ choice: String, for session: String, in agent: String) throws(AgentError) {
    try AgentCode.check(choice, role: .choice)
    try override(VariantID(choice), session, agent)
  }

  /// Removes the override of a session. Does nothing when there is none.
  ///
  /// - Throws: ``AgentError``.
  public func unforce(session: String, in agent: String) throws(AgentError) {
    try override(nil, session, agent)
  }

  private func override(_ variant: VariantID?, _ session: String, _ agent: String)
    throws(AgentError)
  {
    try AgentCode.check(agent, role: .agent)
    try AgentCode.check(session, role: .session)
    let (id, unit) = (ExperimentID(agent), UnitID(session))
    try recorder.perform { transaction throws(AgentError) in
      let isKnown = transaction.state.agents[id] != nil
      guard isKnown || settings.createsUnknown else { throw .unknownAgent(agent) }
      guard transaction.state.overrides.variant(for: unit, in: id) != variant else { return }
      try Self.record(
        [Overrides.payload(variant, in: id, system: AgentsState.system)], unit, &transaction)
    }
  }

  // MARK: Queries

  /// The codes of all agents, defined or created on first use, ascending.
  public var codes: [String] {
    recorder.read { $0.agents.keys.sorted().map(\.rawValue) }
  }

  /// Returns the definition of an agent, with default values for an agent created on first use; nil when
  /// there is no such agent.
  public func definition(of agent: String) -> AgentDefinition? {
    recorder.read { $0.configuration(of: ExperimentID(agent), isAny: true)?.definition }
  }

  /// Returns whether an agent is running, paused or stopped; nil when there is no such agent.
  public func activity(of agent: String) -> AgentActivity? {
    recorder.read { $0.agents[ExperimentID(agent)]?.known.activity }
  }

  /// Returns what an agent has learned about each choice of a slot.
  ///
  /// - Parameters:
  ///   - agent: The agent.
  ///   - point: The point; `point-1` when nil.
  ///   - slot: The slot; `decision-1` when nil.
  ///   - segment: The segment, for an agent that learns by segment; nil for sessions without one.
  /// - Returns: The counts by the code of the choice; empty when nothing was learned.
  public func learned(
    by agent: String, at point: String? = nil, slot: String? = nil, segment: String? = nil
  ) -> [String: ArmTally] {
    let point = point.map { PointID($0) } ?? .standard
    let slot = slot.map { SlotID($0) } ?? .standard
    return recorder.read { state in
      let memory = state.agents[ExperimentID(agent)]?.known.points[point]?.memory(of: slot)
      let tallies = memory?.tallies[TextKey(segment ?? "")] ?? OrderedMap()
      return Dictionary(
        tallies.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { a, _ in a })
    }
  }
}

extension AgentsState {
  /// Returns the configuration applied last; nil when there is none, or, with `isAny`, when there is no such
  /// agent.
  fileprivate func configuration(of agent: ExperimentID, isAny: Bool = false) -> AgentConfiguration? {
    guard let known = agents[agent]?.known, isAny || known.plan != nil else { return nil }
    return AgentConfiguration(
      definition: known.plan?.definition ?? AgentDefinition(agent.rawValue),
      activity: known.activity)
  }
}
