import Bandits
import DecidingAgents
import Events
import Testing

@testable import Service

@Suite struct PersonalizerTests {
  private static let path = "/acme/news/personalizer/v1.0"
  private static let actions =
    #"[{"id":"sports","features":[{"topic":"sports"}]},{"id":"politics","features":[]},{"id":"music","features":[]}]"#

  private func rank(_ world: OpenWorld, _ members: String = "") async -> ServiceResponse {
    await world.post("\(Self.path)/rank", #"{"actions":\#(Self.actions)\#(members)}"#)
  }

  private func event(_ world: OpenWorld, _ operation: String, _ body: String = "") async
    -> ServiceResponse
  {
    await world.post("\(Self.path)/events/\(operation)", body)
  }

  @Test func `A ranking has every action with its probability, the chosen one first`() async throws {
    let world = try OpenWorld()
    let response = await rank(world, #","eventId":"e-1""#)
    #expect(response.status == 201)
    #expect(response.json["eventId"] == "e-1")
    let ranking = try #require(response.json["ranking"]?.array)
    #expect(ranking.first?["id"] == response.json["rewardActionId"])
    #expect(
      Set(ranking.compactMap { $0["id"]?.string }) == ["sports", "politics", "music"])
    let sum = ranking.compactMap { $0["probability"]?.number }.reduce(0, +)
    #expect(abs(sum - 1) < 1e-12)
    let decision = try #require(try world.decisions().last)
    #expect(decision.status ?? .confirmed == .confirmed)
    #expect(decision.choices == ["sports", "politics", "music"])
    #expect(try world.events().last?.unit == "e-1")
  }

  @Test func `An event without an id gets one`() async throws {
    let world = try OpenWorld()
    let first = await rank(world).json["eventId"]?.string
    let second = await rank(world).json["eventId"]?.string
    #expect(first?.isEmpty == false)
    #expect(first != second)
  }

  @Test func `Excluded actions keep their places and are never chosen`() async throws {
    let world = try OpenWorld()
    for number in 0..<20 {
      let response = await rank(
        world, #","eventId":"e-\#(number)","excludedActions":["sports"]"#)
      let ranking = try #require(response.json["ranking"]?.array)
      #expect(ranking[0]["id"] == "sports")
      #expect(ranking[0]["probability"] == 0)
      #expect(response.json["rewardActionId"] == ranking[1]["id"])
    }
  }

  @Test func `A repeated event is answered in the same way, also after a restart`() async throws {
    let world = try OpenWorld()
    let first = await rank(world, #","eventId":"e-1""#)
    #expect(
      await rank(world, #","eventId":"e-1""#).json["rewardActionId"]
        == first.json["rewardActionId"])
    try await world.restart()
    let again = await rank(world, #","eventId":"e-1""#)
    #expect(again.status == 201)
    #expect(again.json["rewardActionId"] == first.json["rewardActionId"])
    #expect(try world.decisions().count == 1)
  }

  @Test func `Features of the context are inputs that rules read`() async throws {
    let world = try OpenWorld { options in
      options.systems.agents.append(
        AgentDefinition(
          "news",
          rules: [
            AgentRule(
              "evening", when: [AgentCondition(.input("time.part"), .eq, "evening")],
              then: .fixed("music", slot: nil))
          ]))
    }
    let response = await rank(
      world, #","contextFeatures":[{"device":"phone"},{"time":{"part":"evening"}}]"#)
    #expect(response.json["rewardActionId"] == "music")
  }

  @Test func `A reward is credited to the chosen action`() async throws {
    let world = try OpenWorld()
    let chosen = try #require(
      await rank(world, #","eventId":"e-1""#).json["rewardActionId"]?.string)
    let response = await event(world, "e-1/reward", #"{"value":0.75}"#)
    #expect(response.status == 204)
    #expect(response.body.isEmpty)
    let learned = world.service.host.systems.agents.learned(by: "news")
    #expect(learned[chosen]?.sum == 0.75)
    let (live, replayed) = try world.states()
    #expect(live == replayed)
  }

  @Test func `A second reward does not count`() async throws {
    let world = try OpenWorld()
    _ = await rank(world, #","eventId":"e-1""#)
    for _ in 0..<2 {
      #expect(await event(world, "e-1/reward", #"{"value":1}"#).status == 204)
    }
    let statuses: [EventStatus] = try world.events().compactMap {
      if case .goal(let goal) = $0.payload { goal.status ?? .accepted } else { nil }
    }
    #expect(statuses == [.accepted, .refused])
  }

  @Test func `A deferred event counts once it is activated`() async throws {
    let world = try OpenWorld()
    let chosen = await rank(world, #","eventId":"e-1","deferActivation":true"#)
    #expect(chosen.status == 201)
    #expect(try world.decisions().map(\.status) == [.provisional])
    // Another event ranks other actions meanwhile, which must not replace the choice.
    _ = await world.post(
      "\(Self.path)/rank", #"{"actions":[{"id":"x"},{"id":"y"}],"eventId":"e-2"}"#)
    for _ in 0..<2 { #expect(await event(world, "e-1/activate").status == 204) }
    let confirmed = try world.events().filter {
      if case .decisionConfirmed = $0.payload { true } else { false }
    }
    #expect(confirmed.map(\.unit) == ["e-1"])
    #expect(
      await rank(world, #","eventId":"e-1""#).json["rewardActionId"]
        == chosen.json["rewardActionId"])
    let (live, replayed) = try world.states()
    #expect(live == replayed)
  }

  @Test func `A reward of a deferred event that was not activated does not count`() async throws {
    let world = try OpenWorld()
    _ = await rank(world, #","eventId":"e-1","deferActivation":true"#)
    #expect(await event(world, "e-1/reward", #"{"value":1}"#).status == 204)
    guard case .goal(let goal) = try world.events().last?.payload else {
      Issue.record("no goal")
      return
    }
    #expect(goal.reason == "not-confirmed")
  }

  // MARK: Errors

  @Test(arguments: [
    "{", "[]", "{}", #"{"actions":[]}"#, #"{"actions":7}"#, #"{"actions":[{}]}"#,
    #"{"actions":[{"id":"a"},{"id":"a"}]}"#, #"{"actions":[{"id":"a b"}]}"#,
    #"{"actions":[{"id":"a"}],"excludedActions":["a"]}"#,
    #"{"actions":[{"id":"a"},{"id":"b"}],"excludedActions":["c"]}"#,
    #"{"actions":[{"id":"a"}],"eventId":""}"#, #"{"actions":[{"id":"a"}],"eventId":7}"#,
    #"{"actions":[{"id":"a"}],"deferActivation":"yes"}"#,
    #"{"actions":[{"id":"a"}],"contextFeatures":["x"]}"#,
  ])
  func `An invalid request to rank says what is wrong`(body: String) async throws {
    let world = try OpenWorld()
    let response = await world.post("\(Self.path)/rank", body)
    #expect(response.status == 400)
    #expect(response.json["error"]?["code"] == "BadRequest")
    #expect(response.json["error"]?["message"]?.string?.isEmpty == false)
    #expect(try world.decisions().isEmpty)
  }

  @Test func `There are at most 50 actions`() async throws {
    let world = try OpenWorld()
    let actions = (0...50).map { #"{"id":"a\#($0)"}"# }.joined(separator: ",")
    let response = await world.post("\(Self.path)/rank", #"{"actions":[\#(actions)]}"#)
    #expect(response.status == 400)
  }

  @Test(arguments: ["", "{}", #"{"value":"1"}"#, "[1]"])
  func `A reward needs a value`(body: String) async throws {
    let world = try OpenWorld()
    #expect(await event(world, "e-1/reward", body).status == 400)
  }

  @Test func `Unknown owners, agents and events are not found`() async throws {
    let world = try OpenWorld { $0.systems.agentSettings.createsUnknown = false }
    let owner = await world.post(
      "/other/news/personalizer/v1.0/rank", #"{"actions":[{"id":"a"}]}"#)
    #expect(owner.status == 404)
    #expect(owner.json["error"]?["code"] == "ResourceNotFound")
    #expect(await rank(world).status == 404)
    #expect(await event(world, "e-1/activate").status == 404)
  }

  @Test func `Nothing is ranked while the service is being stopped`() async throws {
    let world = try OpenWorld()
    await world.service.drain()
    #expect(await rank(world).status == 503)
  }
}
