package import DecidingCore
internal import Events

/// A snapshot of agents whose sessions, which are numerous, are in a compact form: they are restored in a small
/// fraction of the time that JSON takes.
package struct CompactAgents {
  /// The snapshot without the sessions, as ``Agents/snapshot()`` has it.
  package var snapshot: String
  /// The sessions of each agent.
  package var sessions: [UInt8]

  /// Creates a snapshot from its parts.
  package init(snapshot: String, sessions: [UInt8]) {
    self.snapshot = snapshot
    self.sessions = sessions
  }
}

extension AgentsState {
  /// The sessions of each agent in their compact form: the agents in the order of their codes, as in the snapshot
  /// without the sessions, and the sessions of each in the order in which they came.
  fileprivate var compactSessions: [UInt8] {
    var writer = CompactWriter()
    writer.write(UInt64(agents.count))
    for (agent, memory) in agents.sorted(by: { $0.key < $1.key }) {
      writer.write(text: agent.rawValue)
      writer.write(UInt64(memory.sessions.count))
      for (unit, session) in memory.sessions {
        writer.write(text: unit.rawValue)
        session.write(to: &writer)
      }
    }
    return writer.bytes
  }

  /// The state without sessions.
  fileprivate var withoutSessions: AgentsState {
    var state = self
    state.agents.changeAll { $0.sessions = SessionTable() }
    return state
  }

  /// Puts sessions back.
  fileprivate mutating func take(sessions bytes: [UInt8]) throws(SnapshotProblem) {
    var reader = CompactReader(bytes)
    for _ in 0..<(try reader.count()) {
      let agent = ExperimentID(try reader.text())
      var sessions = SessionTable()
      for _ in 0..<(try reader.count()) {
        let unit = UnitID(try reader.text())
        sessions.addPacked(unit, try AgentSession(from: &reader))
      }
      guard agents.change(agent, { $0.sessions = sessions }) != nil else {
        throw SnapshotProblem("it has sessions of an unknown agent")
      }
    }
    guard reader.isAtEnd else { throw SnapshotProblem("it has bytes after its sessions") }
  }
}

extension CompactAgents {
  /// Encodes a state and its position.
  package init(_ snapshot: Snapshot<AgentsState>) {
    let rest = Snapshot(
      position: snapshot.position, instance: snapshot.instance,
      state: snapshot.state.withoutSessions)
    self.init(snapshot: rest.text, sessions: snapshot.state.compactSessions)
  }
}

extension Snapshot<AgentsState> {
  /// Parses a compact snapshot.
  init(_ compact: CompactAgents, instance: InstanceID?) throws(SnapshotProblem) {
    let parsed = try Snapshot(parsing: compact.snapshot, instance: instance)
    var state = parsed.state
    try state.take(sessions: compact.sessions)
    self.init(position: parsed.position, instance: parsed.instance, state: state)
  }
}
