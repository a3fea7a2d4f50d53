public import Events

/// The choices that a paused agent shows.
public struct AgentPause: Hashable, Sendable {
  /// The choice for every slot that has it and is not among ``slots``.
  public var choice: String?
  /// The choice for each slot.
  public var slots: [String: String]

  /// Creates a pause on one choice for every slot that has it.
  public init(on choice: String) {
    self.choice = choice
    slots = [:]
  }

  /// Creates a pause on a choice for each slot.
  public init(on slots: [String: String]) {
    self.slots = slots
  }

  /// Returns the code to show in a slot: the choice paused on if the slot has it, else its first one.
  func code(slot: String, choices: [String]) -> String {
    if let code = slots[slot] ?? choice,
      choices.contains(where: { $0.hasSameBytes(as: code) })
    {
      return code
    }
    return choices.first ?? ""
  }
}

/// The activity of an agent: running, paused or stopped.
public struct AgentActivity: Hashable, Sendable {
  /// Whether the agent is stopped: every session gets the first choice.
  public var isStopped = false
  /// The pause for all sessions; nil when there is none.
  public var pause: AgentPause?
  /// The pauses of single sessions by id, which take precedence.
  public var sessionPauses: [UnitID: AgentPause] = [:]

  /// Creates the activity of a running agent.
  public init() {}

  /// Returns the pause of a session; nil when the agent decides for it.
  func pause(for session: UnitID) -> AgentPause? {
    if let pause = sessionPauses.isEmpty ? nil : sessionPauses[session] { return pause }
    return pause
  }
}

extension AgentActivity: Codable {
  init(reading reader: DefinitionReader) throws(AgentError) {
    _ = try reader.object(keys: ["stopped", "paused", "sessions"])
    isStopped = try reader.value("stopped")?.flag() ?? false
    if let paused = reader.value("paused") { pause = try AgentPause(reading: paused) }
    guard let sessions = reader.value("sessions") else { return }
    guard let object = sessions.value.object else { throw sessions.problem("must be an object") }
    for name in object.names {
      guard let pause = sessions.member(name) else { continue }
      sessionPauses[UnitID(name)] = try AgentPause(reading: pause)
    }
  }

  /// The activity as JSON, as recorded in the log.
  var json: JSONValue {
    var object: JSONObject = [:]
    if isStopped { object["stopped"] = true }
    object["paused"] = pause?.json
    if !sessionPauses.isEmpty {
      object["sessions"] = .object(
        JSONObject(
          sessionPauses.map { JSONObject.Member(name: $0.key.rawValue, value: $0.value.json) }))
    }
    return .object(object)
  }

  /// Decodes an activity as written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    try self.init(
      reading: DefinitionReader(value: JSONValue(from: decoder), path: "state", isLenient: true))
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AgentPause {
  init(reading reader: DefinitionReader) throws(AgentError) {
    _ = try reader.object(keys: ["choice", "slots"])
    self.init(on: [:])
    choice = try reader.value("choice")?.text()
    guard let slots = reader.value("slots") else { return }
    guard let object = slots.value.object else { throw slots.problem("must be an object") }
    for name in object.names { self.slots[name] = try slots.member(name)?.text() }
  }

  var json: JSONValue {
    var object: JSONObject = [:]
    object["choice"] = choice.map { .string($0) }
    if !slots.isEmpty {
      object["slots"] = .object(
        JSONObject(slots.map { JSONObject.Member(name: $0.key, value: .string($0.value)) }))
    }
    return .object(object)
  }
}
