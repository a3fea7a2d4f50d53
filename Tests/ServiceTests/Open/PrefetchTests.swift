import Bandits
import DecidingAgents
import Events
import Testing

@testable import Service

/// Clients that evaluate all flags at once, and nothing else.
@Suite struct PrefetchTests {
  private func prefetch(_ world: OpenWorld, _ unit: String = "u-1", _ members: String = "") async {
    _ = await world.post(
      "/ofrep/v1/evaluate/flags", #"{"context":{"targetingKey":"\#(unit)"\#(members)}}"#)
  }

  private func goals(_ world: OpenWorld) throws -> [Goal] {
    try world.events().compactMap { if case .goal(let goal) = $0.payload { goal } else { nil } }
  }

  private func confirmed(_ world: OpenWorld) throws -> [UnitID] {
    try world.events().filter { $0.kind == .decisionConfirmed }.map(\.unit)
  }

  @Test func `A goal confirms what its unit was given, and rewards it`() async throws {
    let world = try OpenWorld()
    await prefetch(world)
    #expect(try world.decisions().last?.status == .provisional)
    let goal = await world.post("/acme/checkout/goal/order?session=u-1&reward=3", "")
    #expect(goal.json["accepted"] == true)
    #expect(try confirmed(world) == ["u-1"])
    #expect(try goals(world).map(\.status) == [.accepted])
    let choice = try #require(try world.decisions().last?.variant.rawValue)
    #expect(world.service.host.systems.agents.learned(by: "checkout")[choice]?.sum == 3)
    let (live, replayed) = try world.states()
    #expect(live == replayed)
    // It is confirmed once.
    _ = await world.post("/acme/-/goal/other?session=u-1", "")
    #expect(try confirmed(world) == ["u-1"])
  }

  @Test func `It does so after a restart too`() async throws {
    let world = try OpenWorld()
    await prefetch(world)
    try await world.restart()
    _ = await world.post("/acme/-/goal/order?session=u-1", "")
    #expect(try goals(world).map(\.status) == [.accepted])
  }

  @Test(arguments: [
    #"{"type":"goal","id":"g-1","time":"2026-01-02T03:04:05Z","unit":"u-1","experiment":"checkout","goal":"order","value":2}"#,
    #"{"type":"conversion","id":"g-1","time":"2026-01-02T03:04:05Z","unit":"u-1","goal":"order","revenue":2}"#,
  ])
  func `Events that a client sends confirm it before they are stored`(line: String) async throws {
    let world = try OpenWorld()
    await prefetch(world)
    await prefetch(world, "u-2")
    let response = await world.post("/v1/events", line)
    #expect(response.status == 200)
    #expect(try world.events().suffix(2).map(\.kind).first == .decisionConfirmed)
    #expect(try confirmed(world) == ["u-1"])
    let (live, replayed) = try world.states()
    #expect(live == replayed)
  }

  @Test(arguments: [
    #"{"kind":"tracking","userKey":"u-1","creationDate":1700000000,"key":"buy"}"#,
    #"{"kind":"feature","userKey":"u-1","creationDate":1700000000,"key":"checkout","variation":"blue"}"#,
  ])
  func `A tracking event confirms it, and so does an exposure`(event: String) async throws {
    let world = try OpenWorld()
    await prefetch(world)
    _ = await world.post("/v1/data/collector", #"{"events":[\#(event)]}"#)
    #expect(try confirmed(world) == ["u-1"])
  }

  @Test func `An exposure of another flag confirms nothing`() async throws {
    let world = try OpenWorld()
    await prefetch(world)
    _ = await world.post(
      "/v1/data/collector",
      #"{"events":[{"kind":"feature","userKey":"u-1","creationDate":1700000000,"key":"search","variation":"on"}]}"#
    )
    #expect(try confirmed(world).isEmpty)
  }

  @Test func `A decision that a client asked to be provisional is not confirmed by a goal`()
    async throws
  {
    let world = try OpenWorld()
    _ = await world.get("/acme/checkout/decision?session=u-1&status=p")
    let goal = await world.post("/acme/checkout/goal/order?session=u-1&explain=1", "")
    #expect(goal.json["accepted"] == false)
    #expect(try confirmed(world).isEmpty)
  }

  @Test func `With exposure in the context all flags are exposed at once`() async throws {
    let world = try OpenWorld()
    await prefetch(world, "u-1", #","exposure":true"#)
    let decisions = try world.decisions()
    #expect(decisions.contains { $0.experiment == "checkout" && $0.status == .confirmed })
    #expect(decisions.contains { $0.experiment == "search" })
    #expect(decisions.allSatisfy { $0.status != .provisional })
    let wrong = await world.post(
      "/ofrep/v1/evaluate/flags", #"{"context":{"targetingKey":"u","exposure":1}}"#)
    #expect(wrong.json["errorCode"] == "INVALID_CONTEXT")
  }
}
