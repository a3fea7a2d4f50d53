internal import Bandits
internal import DecidingCore
package import Events

/// The state of the agents of one owner: a projection of the log.
package struct AgentsState: DecidingState {
  /// The name of the system in `configurationApplied` events.
  package static let system = SystemID.agents

  /// The agents by code, modified only by `apply`, which spans several files, and by an `Undo`.
  var agents = OrderedMap<ExperimentID, AgentMemory>()
  private(set) var overrides = Overrides()
  /// The policies that definitions can name. They are not part of the state that is compared and stored.
  private var policies = PolicyCatalog.standard

  private enum CodingKeys: CodingKey { case agents, overrides }

  package init() {}

  /// Returns the state with the policies that definitions can name; plans decoded without them are rebuilt.
  func with(_ policies: PolicyCatalog) -> AgentsState {
    guard policies != self.policies else { return self }
    var state = self
    state.policies = policies
    state.agents.changeAll { memory in
      guard let plan = memory.known.plan, plan.definition.policy != nil else { return }
      memory.known.plan = AgentPlan(plan.definition, policies)
    }
    return state
  }

  package mutating func take(_ event: Event) {
    switch event.payload {
    case .decision(let decision): apply(decision, event)
    case .decisionConfirmed(let confirmed): apply(confirmed, event)
    case .goal(let goal): apply(goal, event)
    case .sessionExpired(let expired): apply(expired, event)
    case .configurationApplied(let applied):
      guard applied.system == Self.system, let agent = applied.experiment else { return }
      if !overrides.apply(event, system: Self.system) { apply(applied, to: agent) }
    case .conversion, .dataPoint, .assignmentRemoved: break
    }
  }

  private mutating func apply(_ expired: SessionExpired, _ event: Event) {
    if let agent = expired.experiment {
      agents.change(agent) { $0.sessions.change(event.unit) { $0.expire() } }
    } else {
      agents.changeAll { $0.sessions.change(event.unit) { $0.expire() } }
    }
  }

  private mutating func apply(_ applied: ConfigurationApplied, to agent: ExperimentID) {
    guard let json = applied.configuration.flatMap({ try? JSONValue(parsing: $0.text) }) else {
      return
    }
    guard json != .null else {
      agents.remove(agent)
      return
    }
    guard let configuration = try? AgentConfiguration(json: json) else { return }
    let policies = policies
    agents.change(agent, orAdd: AgentMemory()) { memory in
      memory.known.take(configuration, policies)
      if applied.reason == AgentConfiguration.Verb.learningReset.rawValue {
        memory.known.forgetLearning()
      }
    }
  }
}

extension AgentKnowledge {
  fileprivate mutating func take(
    _ configuration: AgentConfiguration, _ policies: PolicyCatalog
  ) {
    // Equal definitions remain one object, which is cheaper to compare. They are compared as JSON, whose
    // texts are compared by their bytes.
    if plan?.definition.json != configuration.definition.json {
      plan = AgentPlan(configuration.definition, policies)
    }
    activity = configuration.activity
  }

  fileprivate mutating func forgetLearning() {
    points.changeAll { point in
      for index in point.slots.indices {
        point.slots[index].tallies = OrderedMap()
        point.slots[index].histories = nil
      }
    }
    epoch.increment()
  }
}

extension AgentsState {
  /// Copies of the state that a batch changes, to restore it when the sink does not accept the batch.
  struct Undo {
    private var knowledge: [ExperimentID: AgentKnowledge?] = [:]
    private var sessions: [ExperimentID: [UnitID: AgentSession]] = [:]
    /// The number of sessions of each agent before the batch.
    private var counts: [ExperimentID: Int] = [:]

    /// Saves the state that decisions of the session can change, unless it is already saved. The copies share
    /// their storage with the state: a decision then copies only what it changes, a session or the counts of
    /// a slot, never the table of sessions.
    mutating func remember(_ agent: ExperimentID, _ unit: UnitID, of state: AgentsState) {
      let memory = state.agents[agent]
      if knowledge[agent] == nil {
        knowledge[agent] = .some(memory?.known)
        counts[agent] = memory?.sessions.count
      }
      if sessions[agent]?[unit] == nil, let session = memory?.sessions[unit] {
        sessions[agent, default: [:]][unit] = session
      }
    }

    /// Restores everything that was saved.
    func restore(_ state: inout AgentsState) {
      for (agent, known) in knowledge {
        guard let known else {
          state.agents.remove(agent)
          continue
        }
        state.agents.change(agent) { memory in
          memory.known = known
          // Sessions added by the batch are at the end, and were saved only after they had been added.
          memory.sessions.truncate(to: counts[agent] ?? 0)
          for (unit, session) in sessions[agent] ?? [:] {
            memory.sessions.change(unit) { $0 = session }
          }
        }
      }
    }
  }
}

/// The payload of an agent's `configurationApplied` event: its definition and activity.
struct AgentConfiguration {
  /// The reason why a configuration was applied.
  enum Verb: String {
    case defined, paused, resumed, stopped, removed
    case learningReset = "learning-reset"
  }

  var definition: AgentDefinition
  var activity: AgentActivity

  init(definition: AgentDefinition, activity: AgentActivity) {
    self.definition = definition
    self.activity = activity
  }

  init(json: JSONValue) throws(AgentError) {
    let reader = AgentReader(json, isLenient: true)
    definition = try AgentDefinition.table.read(reader)
    activity = try reader.optional("state").map(AgentActivity.table.read) ?? AgentActivity()
  }

  /// Checks that the configuration survives the log: what is read back equals what was written.
  static func requireReadable(_ json: JSONValue) throws(AgentError) {
    if let flaw = json.firstFlaw() {
      throw .invalidDefinition(
        path: flaw.path.joined(separator: "."), reason: "must be \(flaw.expected)")
    }
    let read = try AgentConfiguration(json: json).json
    guard read != json else { return }
    let names = (json.object ?? [:]).namesOfDifferences(from: read.object ?? [:])
    throw .invalidDefinition(
      path: names.first ?? "",
      reason: "would be read back as something else; write it as JSON has it")
  }

  var json: JSONValue {
    guard var object = definition.json.object else { return .null }
    if activity != AgentActivity() { object["state"] = activity.json }
    return .object(object)
  }
}
