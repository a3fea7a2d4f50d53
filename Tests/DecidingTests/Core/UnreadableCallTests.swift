import Events
import TestSupport
import Testing

@testable import DecidingAgents
@testable import DecidingCore
@testable import DecidingExperiments
@testable import DecidingRollouts

@Suite("Events that could not be read back are rejected by every system")
struct UnreadableCallTests {
  private func nested(_ depth: Int) -> JSONValue {
    (0..<depth).reduce(1) { value, _ in [value] }
  }

  @Test(
    "configurations with numbers that are not finite, or nested too deep",
    arguments: [62, 70, 100_000])
  func configurations(depth: Int) throws {
    let world = ManualWorld()
    let agents = Agents(owner: "o", surroundings: world.surroundings)
    let rule = AgentRule(
      "r", when: [AgentCondition(.input("x"), .eq, nested(depth))], then: .segment("s"))
    #expect {
      try agents.define(AgentDefinition("x", rules: [rule]))
    } throws: {
      "\($0)".contains("rules.0.conditions.0") && "\($0)".contains("nested at most 64 deep")
    }
    let infinite = AgentRule(
      "r", when: [AgentCondition(.input("x"), .eq, [.number(.infinity)])], then: .segment("s"))
    #expect(throws: AgentError.self) {
      try agents.define(AgentDefinition("x", rules: [infinite]))
    }
    let client = ClientFactory(
      loader: ManualExperimentLoader(), surroundings: world.surroundings
    ).create(siteCode: "s")
    for json in [["a": nested(depth)], ["a": .number(.infinity)]] as [JSONValue] {
      let experiment = Experiment(
        1, variations: [.init("reference", deviation: 1)], other: json.object ?? [:])
      #expect {
        try client.apply(ExperimentConfiguration(siteCode: "s", experiments: [experiment]))
      } throws: {
        "\($0)".contains("experiments[0].a") && "\($0)".contains("must be")
      }
    }
    #expect(world.events.isEmpty)
  }

  @Test("numbers that are not finite anywhere in a configuration")
  func numbers() throws {
    let world = ManualWorld()
    let rollouts = Rollouts(unit: "u", surroundings: world.surroundings)
    for weight in [Double.infinity, .nan, -.infinity] {
      #expect(throws: RolloutError.self) {
        try rollouts.setup(.init([RolloutExperiment("a", variants: [.init("x", weight: weight)])]))
      }
    }
    #expect(world.events.isEmpty)
  }

  @Test("the error names the event")
  func names() throws {
    let world = ManualWorld()
    let recorder = Recorder<AgentsState>(world.surroundings, replaying: [Event]())
    let point = Payload.dataPoint(DataPoint(kind: "k", value: .number(.nan)))
    #expect {
      try recorder.perform { turn throws(NotRecorded) in
        try turn.record([
          turn.event("u", .goal(Goal(experiment: "e", goal: "g"))), turn.event("v", point),
        ])
      }
    } throws: {
      ($0 as? NotRecorded)?.reason.contains(#"dataPoint "id-2" of "v" could not be read back"#)
        == true
    }
    world.sink.refuse(true)
    #expect {
      try recorder.perform { turn throws(NotRecorded) in
        try turn.record([turn.event("", .sessionExpired(SessionExpired()))])
      }
    } throws: {
      ($0 as? NotRecorded)?.reason == #"sessionExpired "id-3" of everyone: Refusal()"#
    }
    #expect(world.events.isEmpty && recorder.snapshot.position == 0)
    #expect(throws: EventProblem.self) {
      try MemorySink().append([Event(time: world.time.now, unit: "u", payload: point)])
    }
  }

  @Test("sums beyond every number, and definitions as deep as they may be, are restored")
  func snapshots() async throws {
    let world = try ExperimentsWorld(.halves)
    for revenue in [1e308, 1e308, 1e308] {
      try await world.client.trackConversion(userID: "u", goalID: 7, revenue: revenue)
    }
    for _ in 0..<2 {
      try await world.client.trackConversion(
        userID: "v", goalID: 7, revenue: 1.7e308, negative: true)
    }
    let restored = try ClientFactory(
      loader: world.loader, surroundings: world.world.surroundings,
      restoring: world.factory.snapshot())
    #expect(restored.state == world.factory.state)
    #expect(restored.snapshot() == world.factory.snapshot())
    let host = try AgentsHost(
      AgentDefinition(
        "x",
        rules: [
          AgentRule("r", when: [AgentCondition(.input("x"), .eq, nested(58))], then: .segment("s"))
        ]))
    try host.expectRebuilt()
  }
}
