import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("Agents are rebuilt from their log")
struct AgentsRebuildTests {
  @Test(
    "after any calls, a replay of any part of the log knows what was known then",
    arguments: LongTests.chunks(5, of: 20))
  func rebuild(chunk: UInt64) throws {
    for seed in chunk * 50..<(chunk + 1) * 50 { try history(seed) }
  }

  private func settings(_ calls: inout AgentsRandomCalls) -> AgentSettings {
    AgentSettings(
      createsUnknown: calls.chance(0.8), timeout: 200, visitLength: 20,
      rules: calls.chance(0.3) ? [AgentRule("s", agents: ["z"], then: .segment("all"))] : [],
      restrictions: calls.chance(0.3)
        ? Restrictions(
          holdout: Holdout(name: "h", share: 0.3),
          groups: [ExclusionGroup(name: "g", members: ["y", "z"])]) : Restrictions())
  }

  private func history(_ seed: UInt64) throws {
    var calls = AgentsRandomCalls(seed: seed)
    let settings = settings(&calls)
    let world = ManualWorld(seed: seed)
    let live = Agents(owner: "o", settings: settings, surroundings: world.surroundings)
    // What was known after so many events, and the snapshot of one such moment.
    var known: [(events: Int, state: AgentsState)] = []
    let (middle, length) = (calls.index(30), 30)
    var snapshot = (events: 0, text: "")
    for number in 0..<length {
      if calls.chance(0.3) { world.time.advance(seconds: Double(calls.index(60))) }
      world.sink.refuse(calls.chance(0.1))
      let before = live.recorder.read { $0 }
      let count = world.events.count
      calls.call(live)
      if world.events.count == count {
        #expect(live.recorder.read { $0 } == before, "seed \(seed): nothing was appended")
      }
      if calls.chance(0.1) { known.append((world.events.count, live.recorder.read { $0 })) }
      if number == middle { snapshot = (world.events.count, live.snapshot()) }
    }
    world.sink.refuse(false)
    let events = world.events
    let state = live.recorder.read { $0 }
    known.append((events.count, state))
    for moment in known {
      let replayed = AgentsState(replaying: events[..<moment.events])
      #expect(replayed == moment.state, "seed \(seed), \(moment.events) events")
    }
    let restored = try Agents(
      owner: "o", settings: settings, surroundings: world.surroundings, restoring: snapshot.text,
      replaying: events[snapshot.events...])
    #expect(restored.recorder.read { $0 } == state, "seed \(seed)")
    #expect(restored.recorder.snapshot.position == UInt64(events.count), "seed \(seed)")
    try answersAlike(seed, settings, live, events, world.time.now)
  }

  /// Fronts with equal generators answer alike, whether they start from the events or from what the live one
  /// knows.
  private func answersAlike(
    _ seed: UInt64, _ settings: AgentSettings, _ live: Agents, _ events: [Event], _ now: Timestamp
  ) throws {
    let first = ManualWorld(seed: seed)
    let second = ManualWorld(seed: seed)
    for world in [first, second] { world.time.advance(microseconds: now.microseconds) }
    let replayed = Agents(
      owner: "o", settings: settings, surroundings: first.surroundings, replaying: events)
    let restored = try Agents(
      owner: "o", settings: settings, surroundings: second.surroundings, restoring: live.snapshot())
    var calls = AgentsRandomCalls(seed: seed ^ 0xABCD)
    for _ in 0..<5 {
      let request = calls.request()
      let a = Result { () throws(AgentError) in try replayed.decide(request) }
      let b = Result { () throws(AgentError) in try restored.decide(request) }
      #expect(a == b, "seed \(seed)")
    }
    #expect(first.events == second.events, "seed \(seed)")
  }

  @Test("a batch is as good as its requests one by one", arguments: 0..<200 as Range<UInt64>)
  func batches(seed: UInt64) {
    var calls = AgentsRandomCalls(seed: seed)
    let (one, other) = (ManualWorld(seed: seed), ManualWorld(seed: seed))
    let alone = Agents(owner: "o", surroundings: one.surroundings)
    let together = Agents(owner: "o", surroundings: other.surroundings)
    for _ in 0..<5 {
      let requests = (0..<calls.index(8)).map { _ in calls.request() }
      let singly = requests.map { request in
        Result { () throws(AgentError) in try alone.decide(request) }
      }
      #expect(together.decide(requests) == singly, "seed \(seed)")
    }
    #expect(one.events == other.events, "seed \(seed)")
    #expect(alone.snapshot() == together.snapshot(), "seed \(seed)")
  }

  @Test(
    "a batch that the sink refuses leaves everything as it was", arguments: 0..<100 as Range<UInt64>
  )
  func refusedBatches(seed: UInt64) {
    var calls = AgentsRandomCalls(seed: seed)
    let world = ManualWorld(seed: seed)
    let agents = Agents(owner: "o", surroundings: world.surroundings)
    for _ in 0..<20 { calls.call(agents) }
    let state = agents.recorder.read { $0 }
    let snapshot = agents.snapshot()
    world.sink.refuse(true)
    let count = world.events.count
    _ = agents.decide((0..<10).map { _ in calls.request() })
    #expect(agents.recorder.read { $0 } == state, "seed \(seed)")
    #expect(agents.snapshot() == snapshot && world.events.count == count, "seed \(seed)")
  }
}
