public import Bandits
internal import DecidingCore
internal import Events

extension Agents {
  // MARK: Definitions

  /// Defines an agent, or replaces its definition. What it learned, its sessions and whether it is paused or
  /// stopped stay. Does nothing when the definition is the one it has.
  ///
  /// - Throws: ``AgentError`` when the definition cannot be, or the sink does not take the event.
  public func define(_ agent: AgentDefinition) throws(AgentError) {
    try agent.validate(policies: settings.policies)
    try configure(agent.agent, .defined, createsAgent: true) { $0.definition = agent }
  }

  /// Removes an agent and everything that is known of it.
  ///
  /// - Throws: ``AgentError/unknownAgent(_:)``, or ``AgentError/notRecorded(_:)``.
  public func remove(_ agent: String) throws(AgentError) {
    try configure(agent, .removed, createsAgent: false) { _ in }
  }

  /// Has an agent forget what it learned. Sessions keep their choices, which earn nothing any more.
  ///
  /// - Throws: ``AgentError/unknownAgent(_:)``, or ``AgentError/notRecorded(_:)``.
  public func resetLearning(_ agent: String) throws(AgentError) {
    try configure(agent, .learningReset, createsAgent: false) { _ in }
  }

  // MARK: Pausing

  /// Shows everyone one choice, and records nothing, until the agent is resumed.
  ///
  /// - Throws: ``AgentError``.
  public func pause(_ agent: String, on choice: String) throws(AgentError) {
    try AgentCode.check(choice, role: .choice)
    try pause(agent, AgentPause(on: choice), for: nil)
  }

  /// Shows everyone one choice for each of the slots, and the first one in other slots.
  ///
  /// - Throws: ``AgentError``.
  public func pause(_ agent: String, on slots: [String: String]) throws(AgentError) {
    try Self.check(slots)
    try pause(agent, AgentPause(on: slots), for: nil)
  }

  /// Shows chosen sessions one choice. Other sessions go on.
  ///
  /// - Throws: ``AgentError``.
  public func pause(_ agent: String, on choice: String, for sessions: [String]) throws(AgentError) {
    try AgentCode.check(choice, role: .choice)
    try pause(agent, AgentPause(on: choice), for: sessions)
  }

  /// Shows chosen sessions one choice for each of the slots, and the first one in other slots.
  ///
  /// - Throws: ``AgentError``.
  public func pause(_ agent: String, on slots: [String: String], for sessions: [String])
    throws(AgentError)
  {
    try Self.check(slots)
    try pause(agent, AgentPause(on: slots), for: sessions)
  }

  private func pause(_ agent: String, _ pause: AgentPause, for sessions: [String]?)
    throws(AgentError)
  {
    for session in sessions ?? [] { try AgentCode.check(session, role: .session) }
    try configure(agent, .paused, createsAgent: settings.createsUnknown) { configuration in
      guard let sessions else {
        configuration.activity.isStopped = false
        configuration.activity.pause = pause
        return
      }
      for session in sessions { configuration.activity.sessionPauses[UnitID(session)] = pause }
    }
  }

  private static func check(_ slots: [String: String]) throws(AgentError) {
    // In order, so that of two errors the same one is thrown every time.
    for (slot, choice) in slots.sorted(by: { $0.key < $1.key }) {
      try AgentCode.check(slot, role: .slot)
      try AgentCode.check(choice, role: .choice)
    }
  }

  /// Has a paused or stopped agent decide again, also for chosen sessions.
  ///
  /// - Throws: ``AgentError/unknownAgent(_:)``, or ``AgentError/notRecorded(_:)``.
  public func resume(_ agent: String) throws(AgentError) {
    try configure(agent, .resumed, createsAgent: false) { $0.activity = AgentActivity() }
  }

  /// Has an agent decide again for chosen sessions.
  ///
  /// - Throws: ``AgentError/unknownAgent(_:)``, or ``AgentError/notRecorded(_:)``.
  public func resume(_ agent: String, for sessions: [String]) throws(AgentError) {
    try configure(agent, .resumed, createsAgent: false) { configuration in
      for session in sessions { configuration.activity.sessionPauses[UnitID(session)] = nil }
    }
  }

  /// Stops an agent: everyone gets the first choice, and nothing is recorded, until it is resumed.
  ///
  /// - Throws: ``AgentError``.
  public func stop(_ agent: String) throws(AgentError) {
    try configure(agent, .stopped, createsAgent: settings.createsUnknown) { configuration in
      configuration.activity.isStopped = true
      configuration.activity.pause = nil
    }
  }

  /// Appends what an agent's configuration becomes, unless it stays what it is.
  private func configure(
    _ agent: String, _ verb: AgentConfiguration.Verb, createsAgent: Bool,
    _ change: (inout AgentConfiguration) -> Void
  ) throws(AgentError) {
    try AgentCode.check(agent, role: .agent)
    let id = ExperimentID(agent)
    try recorder.perform { turn throws(AgentError) in
      guard turn.state.agents[id] != nil || createsAgent else { throw .unknownAgent(agent) }
      let old = turn.state.configuration(of: id)
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
              configuration: json.jsonText))
        ], "", &turn)
    }
  }

  /// The members that differ, ascending.
  private static func changes(from old: JSONValue, to new: JSONValue) -> [String] {
    (new.object ?? [:]).namesOfDifferences(from: old.object ?? [:])
  }

  // MARK: Overrides

  /// Gives a session one choice, whatever else holds, unless the agent is paused or stopped. It is recorded
  /// with the reason `forced`, nothing is learned from it, and when it ends the session is decided anew.
  ///
  /// - Throws: ``AgentError``.
  public func force(_ choice: String, for session: String, in agent: String) throws(AgentError) {
    try AgentCode.check(choice, role: .choice)
    try override(VariantID(choice), session, agent)
  }

  /// Ends the override of a session. Does nothing when there is none.
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
    try recorder.perform { turn throws(AgentError) in
      let isKnown = turn.state.agents[id] != nil
      guard isKnown || settings.createsUnknown else { throw .unknownAgent(agent) }
      guard turn.state.overrides.variant(for: unit, in: id) != variant else { return }
      try Self.record(
        [Overrides.payload(variant, in: id, system: AgentsState.system)], unit, &turn)
    }
  }

  // MARK: What is known

  /// The codes of all agents, defined or made at first use, ascending.
  public var codes: [String] {
    recorder.read { $0.agents.keys.sorted().map(\.rawValue) }
  }

  /// The definition of an agent; that of an agent made at first use has everything at its default. Nil when
  /// there is no such agent.
  public func definition(of agent: String) -> AgentDefinition? {
    recorder.read { $0.configuration(of: ExperimentID(agent), isAny: true)?.definition }
  }

  /// Whether an agent decides, is paused, or has stopped; nil when there is no such agent.
  public func activity(of agent: String) -> AgentActivity? {
    recorder.read { $0.agents[ExperimentID(agent)]?.known.activity }
  }

  /// What an agent learned of each choice of a slot.
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
  /// The configuration that was applied last; nil when there is none, or, with `isAny`, no such agent.
  fileprivate func configuration(of agent: ExperimentID, isAny: Bool = false) -> AgentConfiguration?
  {
    guard let known = agents[agent]?.known, isAny || known.plan != nil else { return nil }
    return AgentConfiguration(
      definition: known.plan?.definition ?? AgentDefinition(agent.rawValue),
      activity: known.activity)
  }
}
