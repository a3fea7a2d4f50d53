internal import DecidingCore
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
  static let table = AgentTable(
    AgentActivity(),
    [
      .field("stopped", \.isStopped, .flag),
      .optional("paused", \.pause, .object(AgentPause.table)),
      .field(
        "sessions", \.sessionPauses,
        .entries({ UnitID($0) }, \.rawValue, of: .object(AgentPause.table))),
    ])

  /// The activity as JSON, as recorded in the log.
  var json: JSONValue { Self.table.write(self) }

  /// Decodes an activity as written by ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    self = try Self.table.read(AgentReader(JSONValue(from: decoder), at: "state", isLenient: true))
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension AgentPause {
  fileprivate static let table = AgentTable(
    AgentPause(on: [:]),
    [
      .optional("choice", \.choice, .text),
      .field("slots", \.slots, .entries({ $0 }, \.self, of: .text)),
    ])
}

extension AgentKind where Problem == AgentError {
  /// An object with an element for each key, by its name.
  fileprivate static func entries<Key, Element>(
    _ key: @escaping @Sendable (String) -> Key, _ name: any KeyPath<Key, String> & Sendable,
    of element: AgentKind<Element>
  ) -> Self where Value == [Key: Element] {
    Self { (reader) throws(AgentError) in
      guard let object = reader.value.object else { throw reader.problem("must be an object") }
      var entries: [Key: Element] = [:]
      for name in object.names {
        if let member = reader.member(name) { entries[key(name)] = try element.read(member) }
      }
      return entries
    } write: { entries in
      .object(
        JSONObject(
          entries.compactMap { key, value in
            element.write(value).map { JSONObject.Member(name: key[keyPath: name], value: $0) }
          }))
    }
  }
}
