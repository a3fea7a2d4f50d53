public import Events

/// What a paused agent shows.
public struct AgentPause: Hashable, Sendable {
  /// The choice in every slot that has it and is not among ``slots``.
  public var choice: String?
  /// The choice slot by slot.
  public var slots: [String: String]

  /// Shows one choice in every slot that has it.
  public init(on choice: String) {
    self.choice = choice
    slots = [:]
  }

  /// Shows a choice slot by slot.
  public init(on slots: [String: String]) {
    self.slots = slots
  }

  /// What a slot shows: the choice paused on if it has it, else its first one.
  func code(slot: String, choices: [String]) -> String {
    if let code = slots[slot] ?? choice,
      choices.contains(where: { $0.hasSameBytes(as: code) })
    {
      return code
    }
    return choices.first ?? ""
  }
}

/// Whether an agent decides, shows one choice, or has stopped.
public struct AgentActivity: Hashable, Sendable {
  /// Whether it has stopped: every session gets the first choice.
  public var isStopped = false
  /// What it shows to all; nil when it is not paused for all.
  public var pause: AgentPause?
  /// What it shows to chosen sessions, by their ids, which is asked first.
  public var sessionPauses: [UnitID: AgentPause] = [:]

  /// An agent that decides.
  public init() {}

  /// What a session is shown; nil when the agent decides for it.
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

  /// The activity as JSON, as the log has it.
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

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    try self.init(
      reading: DefinitionReader(value: JSONValue(from: decoder), path: "state", isLenient: true))
  }

  /// Writes it as JSON.
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
