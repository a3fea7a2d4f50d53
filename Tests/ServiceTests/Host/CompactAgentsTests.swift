import DecidingAgents
import DecidingCore
import Events
import TestSupport
import Testing

/// Snapshots of agents with compact sessions.
struct CompactAgentsTests {
  private static func agents(seed: UInt64, calls: Int = 400) throws -> Agents {
    var random = SeededGenerator(seed: seed)
    let agents = Agents(
      owner: "acme",
      surroundings: Surroundings(
        time: FixedTime(), random: SeededGenerator(seed: seed), ids: RandomIDs(seed: seed),
        sink: MemorySink()))
    try agents.define(
      AgentDefinition("shop", policy: "thompson", eligibleShare: 0.7, learnsBy: .segment))
    try agents.define(AgentDefinition("news", policy: "exp3"))
    for _ in 0..<calls {
      let session = "sé\(random.index(60))"
      let agent = random.pick(["shop", "news", "plain"], or: "shop")
      switch random.index(8) {
      case 0: _ = try agents.goal(GoalRequest(agent: agent, session: session, reward: 0.1))
      case 1: try agents.expire(session: session, agent: agent)
      case 2: try agents.force("b", for: session, in: agent)
      default:
        _ = try agents.decide(
          DecisionRequest(
            agent: agent, session: session, point: random.pick(["p", "q"], or: "p"),
            slots: [SlotChoices(choices: ["a", "b", "c"])],
            status: random.chance(0.3) ? .provisional : .confirmed,
            segment: random.pick(["x", nil], or: nil)))
      }
    }
    return agents
  }

  private static func restored(_ snapshot: CompactAgents) throws(AgentError) -> Agents {
    try Agents(
      owner: "acme", settings: AgentSettings(), surroundings: Surroundings(sink: MemorySink()),
      restoring: snapshot)
  }

  @Test("agents restored from a compact snapshot have the same state", arguments: 1...10)
  func roundTrip(seed: UInt64) throws {
    let agents = try Self.agents(seed: seed)
    let snapshot = CompactAgents(agents.recorder.snapshot)
    let restored = try Self.restored(snapshot)
    #expect(restored.snapshot() == agents.snapshot())
    #expect(CompactAgents(restored.recorder.snapshot).sessions == snapshot.sessions)
  }

  @Test("a compact snapshot that was cut or changed is refused, or restored to something else")
  func damage() throws {
    let agents = try Self.agents(seed: 3, calls: 40)
    let snapshot = CompactAgents(agents.recorder.snapshot)
    for length in stride(from: 0, to: snapshot.sessions.count, by: 7) {
      var cut = snapshot
      cut.sessions.removeLast(snapshot.sessions.count - length)
      #expect(throws: AgentError.self) { _ = try Self.restored(cut) }
    }
    for index in snapshot.sessions.indices {
      var changed = snapshot
      changed.sessions[index] ^= 0xFF
      guard let other = try? Self.restored(changed) else { continue }
      #expect(other.snapshot() != agents.snapshot())
    }
  }
}
