public import DecidingCore
public import Events
internal import Statistics
internal import Threads

/// A decision service. An app names an agent and lists choices; the agent assigns one to each session, keeps
/// the assignment sticky, and is told when goals are reached. Over time it can favor the choices that earn
/// more.
///
/// The log is its only storage: every decision and goal is appended to the sink before it takes effect, and
/// an `Agents` rebuilt from the same events has the same state. Other systems can share the log: agents read
/// their own events and those without a system. If several `Agents` share one log, each needs its own
/// instance name.
///
/// Methods can be called from any number of threads and tasks. Calls are serialized, and their events are
/// logged in the order of the calls. Meanwhile the only code of the caller that runs is the sink, the clock,
/// the random generator and the source of ids.
public final class Agents: Sendable {
  /// The owner of the agents.
  public let owner: String
  /// The settings that apply where definitions do not override them.
  public let settings: AgentSettings

  package let recorder: Recorder<AgentsState>
  private let sink: any EventSink
  private let leftOut = Monitor<UInt64>(0)

  /// Creates agents, rebuilding their state from the events of a log; empty by default.
  ///
  /// - Parameters:
  ///   - owner: The owner of the agents.
  ///   - settings: The settings that apply where definitions do not override them.
  ///   - instance: The instance name, where several `Agents` share a log.
  ///   - surroundings: The clock, random generator, source of ids, and sink; the sink is the log.
  ///   - events: The events already in the log.
  /// - Complexity: O(number of events).
  public init<Replayed: Sequence>(
    owner: String, settings: AgentSettings = AgentSettings(), instance: InstanceID? = nil,
    surroundings: Surroundings,
    replaying events: Replayed = [Event]()
  ) where Replayed.Element: ReplayableEvent {
    self.owner = owner
    self.settings = settings
    sink = surroundings.sink
    let nothing = Snapshot(
      position: 0, instance: instance, state: AgentsState().with(settings.policies))
    recorder = Recorder(surroundings, snapshot: nothing, replaying: events)
  }

  /// Restores agents from a snapshot and the events after its position.
  ///
  /// - Throws: ``AgentError/invalidSnapshot(_:)``; the log can be replayed instead.
  public convenience init<Replayed: Sequence>(
    owner: String, settings: AgentSettings = AgentSettings(), instance: InstanceID? = nil,
    surroundings: Surroundings, restoring snapshot: String,
    replaying events: Replayed = [Event]()
  ) throws(AgentError) where Replayed.Element: ReplayableEvent {
    do throws(SnapshotProblem) {
      let parsed = try Snapshot<AgentsState>(parsing: snapshot, instance: instance)
      self.init(owner, settings, surroundings, parsed, events)
    } catch {
      throw .invalidSnapshot(error.reason)
    }
  }

  /// Restores agents from a compact snapshot.
  ///
  /// - Throws: ``AgentError/invalidSnapshot(_:)``; the log can be replayed instead.
  package convenience init(
    owner: String, settings: AgentSettings, surroundings: Surroundings,
    restoring snapshot: CompactAgents
  ) throws(AgentError) {
    do throws(SnapshotProblem) {
      let parsed = try Snapshot(snapshot, instance: nil)
      self.init(owner, settings, surroundings, parsed, [Event]())
    } catch {
      throw .invalidSnapshot(error.reason)
    }
  }

  private init(
    _ owner: String, _ settings: AgentSettings, _ surroundings: Surroundings,
    _ parsed: Snapshot<AgentsState>, _ events: some Sequence<some ReplayableEvent>
  ) {
    self.owner = owner
    self.settings = settings
    sink = surroundings.sink
    let snapshot = Snapshot(
      position: parsed.position, instance: parsed.instance,
      state: parsed.state.with(settings.policies))
    recorder = Recorder(surroundings, snapshot: snapshot, replaying: events)
  }

  /// Returns a snapshot of the state, as JSON with sorted keys. Restoring it avoids replaying the log up to
  /// this position.
  public func snapshot() -> String { recorder.snapshot.text }

  /// Returns once everything appended so far is durable.
  ///
  /// - Throws: ``AgentError/notRecorded(_:)``.
  public func flush() async throws(AgentError) {
    do {
      try await sink.flush()
    } catch {
      throw .notRecorded("\(error)")
    }
  }

  // MARK: Decisions

  /// Decides for every slot of a request, or returns the sticky choices of the session.
  ///
  /// - Throws: ``AgentError`` when a code is invalid, when the agent is unknown and none is created on first
  ///   use, or when the sink does not accept the events, in which case nothing has changed.
  /// - Complexity: O(choices + points at which the session has decisions), whatever the number of sessions;
  ///   plus the cost of the learning policy, if there is one.
  public func decide(_ request: DecisionRequest) throws(AgentError) -> DecisionReply {
    let question = try AgentQuestion(request)
    return try recorder.perform { transaction throws(AgentError) in
      let unit = Self.unit(question, &transaction)
      return try decide(question, unit, &transaction)
    }
  }

  /// Decides a batch of requests in order, so that later requests see the decisions of earlier ones.
  ///
  /// All events go to the sink as one batch. Each request's events are applied before the next request is
  /// decided; if the sink does not accept the batch, the affected sessions and counts are restored from
  /// copies made before their first change, and nothing has changed.
  ///
  /// - Returns: One result for each request. When the sink does not accept the events, every reply becomes
  ///   ``AgentError/notRecorded(_:)``.
  public func decide(_ batch: [DecisionRequest]) -> [Result<DecisionReply, AgentError>] {
    let questions = batch.map { request in
      Result { () throws(AgentError) in try AgentQuestion(request) }
    }
    return recorder.perform { transaction in
      var undo = AgentsState.Undo()
      do throws(NotRecorded) {
        return try transaction.together(
          { transaction in questions.map { decide($0, &transaction, &undo) } },
          undo: { undo.restore(&$0) })
      } catch {
        return questions.map { question in
          question.flatMap { _ in .failure(.notRecorded(error.reason)) }
        }
      }
    }
  }

  private func decide(
    _ question: Result<AgentQuestion, AgentError>, _ transaction: inout Transaction<AgentsState>,
    _ undo: inout AgentsState.Undo
  ) -> Result<DecisionReply, AgentError> {
    Result { () throws(AgentError) in
      let question = try question.get()
      let unit = Self.unit(question, &transaction)
      undo.remember(question.agent, unit, of: transaction.state)
      return try decide(question, unit, &transaction)
    }
  }

  /// The number of inputs, and of attributes of choices, so far that decisions did not record, because they are too
  /// many, cannot be attributes, or belong to no choice.
  public var inputsLeftOut: UInt64 { leftOut.withLock { $0 } }

  private static func unit(_ question: AgentQuestion, _ transaction: inout Transaction<AgentsState>)
    -> UnitID
  {
    UnitID(question.request.session ?? transaction.nextID())
  }

  private func decide(
    _ question: AgentQuestion, _ unit: UnitID, _ transaction: inout Transaction<AgentsState>
  ) throws(AgentError) -> DecisionReply {
    let outcome = try outcome(question, unit, &transaction)
    if !outcome.events.isEmpty { try Self.record(outcome.events, &transaction) }
    if outcome.leftOut > 0 { leftOut.withLock { $0 &+= UInt64(outcome.leftOut) } }
    return outcome.reply
  }

  /// Returns the answer and the events to record. The state is released before it is changed.
  private func outcome(
    _ question: AgentQuestion, _ unit: UnitID, _ transaction: inout Transaction<AgentsState>
  ) throws(AgentError) -> DecisionMaker.Outcome {
    try DecisionMaker(
      question, unit: unit, stamp: transaction.stamp, state: transaction.state, for: self
    )
    .outcome(using: &transaction.random)
  }

  /// Returns the answer to a request without recording or drawing anything. Where a draw would be needed, the
  /// answer is the most likely choice without a propensity, with the probability of each choice; a session
  /// not yet admitted is assumed to be eligible. A request without a session is treated as one of the session
  /// `""`.
  ///
  /// - Throws: ``AgentError`` as ``decide(_:)-(DecisionRequest)`` does.
  public func preview(_ request: DecisionRequest) throws(AgentError) -> DecisionReply {
    let question = try AgentQuestion(request)
    let unit = UnitID(request.session ?? "")
    return try recorder.perform { transaction throws(AgentError) in
      var unused = SplitMix64(seed: 0)
      return try DecisionMaker(
        question, unit: unit, stamp: transaction.stamp, state: transaction.state, for: self,
        isPreview: true
      ).outcome(using: &unused).reply
    }
  }

  // MARK: Goals and expiry

  /// Records that a session reached a goal, and credits its value to the session's decisions.
  ///
  /// - Throws: ``AgentError`` when a code or the value is invalid, when the agent or goal is unknown and none
  ///   is created on first use, or when the sink does not accept the events. A refused goal is not an error.
  public func goal(_ request: GoalRequest) throws(AgentError) -> GoalReply {
    let goal = request.goal ?? GoalRequest.standardGoal
    if let agent = request.agent { try AgentCode.check(agent, role: .agent) }
    try AgentCode.check(request.session, role: .session)
    try AgentCode.check(goal, role: .goal)
    if let reward = request.reward, !reward.isFinite { throw .invalidReward(reward) }
    let unit = UnitID(request.session)
    let rewards = try recorder.perform { transaction throws(AgentError) in
      let (rewards, payloads) = try judge(request, goal, unit, transaction.state, transaction.now)
      try Self.record(payloads, unit, &transaction)
      return rewards
    }
    return Self.reply(to: request, goal, rewards)
  }

  private func judge(
    _ request: GoalRequest, _ goal: String, _ unit: UnitID, _ state: borrowing AgentsState,
    _ now: Timestamp
  ) throws(AgentError) -> ([GoalReply.AgentReward], [Payload]) {
    let agents = request.agent.map { [ExperimentID($0)] } ?? state.agents(thatDecidedFor: unit)
    var rewards: [GoalReply.AgentReward] = []
    var payloads: [Payload] = []
    for agent in agents {
      let maker = GoalMaker(
        settings: settings, agent: agent, unit: unit, goal: goal, reward: request.reward, now: now)
      let memory = state.agents[agent]
      // Without a named agent, only agents that know the goal are meant.
      if request.agent == nil, !maker.isKnown(memory) { continue }
      let outcome = try maker.outcome(memory)
      rewards.append(outcome.0)
      payloads += outcome.1
    }
    if rewards.isEmpty, !agents.isEmpty { throw .unknownGoal(goal) }
    return (rewards, payloads)
  }

  private static func reply(
    to request: GoalRequest, _ goal: String, _ rewards: [GoalReply.AgentReward]
  ) -> GoalReply {
    let accepted = rewards.filter { $0.refusal == nil }
    return GoalReply(
      agent: request.agent, session: request.session, goal: goal,
      reward: accepted.reduce(0) { ($0 + $1.reward).saturated }, accepted: !accepted.isEmpty,
      refusal: accepted.isEmpty ? rewards.first?.refusal ?? .noDecision : nil,
      rewards: request.agent == nil ? rewards : [])
  }

  /// Ends the session of an agent, and discards its choices, goal counts and eligibility. Does nothing when
  /// there is nothing to discard.
  ///
  /// - Throws: ``AgentError`` when a code is invalid, the agent is unknown and none is created on first use,
  ///   or the sink does not accept the event.
  public func expire(session: String, agent: String) throws(AgentError) {
    try AgentCode.check(agent, role: .agent)
    try AgentCode.check(session, role: .session)
    let (id, unit) = (ExperimentID(agent), UnitID(session))
    try recorder.perform { transaction throws(AgentError) in
      let isKnown = transaction.state.agents[id] != nil
      guard isKnown || settings.createsUnknown else { throw .unknownAgent(agent) }
      guard transaction.state.agents[id]?.sessions[unit]?.isLive == true else { return }
      let expired = SessionExpired(experiment: id, reason: "requested")
      try Self.record([.sessionExpired(expired)], unit, &transaction)
    }
  }

  static func record(
    _ payloads: [Payload], _ unit: UnitID, _ transaction: inout Transaction<AgentsState>
  )
    throws(AgentError)
  {
    try record(payloads.map { transaction.event(unit, $0) }, &transaction)
  }

  static func record(_ events: [Event], _ transaction: inout Transaction<AgentsState>)
    throws(AgentError)
  {
    do throws(NotRecorded) {
      try transaction.record(events)
    } catch {
      throw .notRecorded(error.reason)
    }
  }
}

extension AgentsState {
  /// Returns the agents with a decision for the session, ascending by code.
  fileprivate func agents(thatDecidedFor unit: UnitID) -> [ExperimentID] {
    agents.filter { $0.value.sessions[unit]?.held.isEmpty == false }.map(\.key).sorted()
  }
}
