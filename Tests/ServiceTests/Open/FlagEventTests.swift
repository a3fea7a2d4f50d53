import Events
import Testing

@testable import Service

@Suite struct FlagEventTests {
  private func event(_ members: String = "") -> String {
    #"{"contextKind":"user","userKey":"u-1","creationDate":1700000000,"key":"search","variation":"on","value":true,"default":false\#(members)}"#
  }

  private func collect(_ world: OpenWorld, _ events: String...) async -> ServiceResponse {
    await world.post(
      "/v1/data/collector", #"{"meta":{},"events":[\#(events.joined(separator: ","))]}"#)
  }

  @Test func `Collected evaluations are durable decisions that change no state`() async throws {
    let world = try OpenWorld()
    let before = try world.states().live
    let response = await collect(
      world, event(), event(#","source":"PROVIDER_CACHE""#),
      event().replacing("false", with: "true"))
    #expect(response.status == 200)
    #expect(response.json["ingestedContentCount"] == 3)
    let decisions = try world.decisions()
    #expect(decisions.map(\.experiment) == ["search", "search", "search"])
    #expect(decisions.map(\.status) == [nil, .repeated, .excluded])
    #expect(try world.events().last?.time == Timestamp(microseconds: 1_700_000_000_000_000))
    let (live, replayed) = try world.states()
    #expect(live == before)
    #expect(live == replayed)
  }

  @Test func `A retried batch is stored once`() async throws {
    let world = try OpenWorld()
    for _ in 0..<2 { #expect(await collect(world, event()).status == 200) }
    #expect(try world.decisions().count == 1)
  }

  @Test func `Tracked events are conversions`() async throws {
    let world = try OpenWorld()
    let tracking =
      #"{"kind":"tracking","userKey":"u-1","creationDate":1700000000123,"key":"buy","trackingEventDetails":{"revenue":9.5}}"#
    #expect(await collect(world, tracking).status == 200)
    guard case .conversion(let conversion) = try world.events().last?.payload else {
      Issue.record("no conversion")
      return
    }
    #expect(conversion.goal == "buy")
    #expect(conversion.revenue == 9.5)
  }

  @Test(arguments: [
    "{", "{}", #"{"events":{}}"#, #"{"events":[{}]}"#, #"{"events":[{"userKey":"u"}]}"#,
    #"{"events":[{"userKey":"u","key":"k"}]}"#,
    #"{"events":[{"userKey":"u","key":"k","creationDate":1}]}"#,
    #"{"events":[{"kind":"x","userKey":"u","key":"k","creationDate":1}]}"#,
  ])
  func `An invalid event refuses the whole batch`(body: String) async throws {
    let world = try OpenWorld()
    let response = await world.post("/v1/data/collector", body)
    #expect(response.status == 400)
    #expect(response.json["error"]?["message"]?.string?.isEmpty == false)
    #expect(try world.decisions().isEmpty)
  }
}
