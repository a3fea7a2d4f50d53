import DecidingAgents
import Events
import Testing

@testable import Service

/// The requests of the clients of Conductrics' third interface.
@Suite struct CommandsTests {
  private let path = "/acme/v3/agent-api?session=s-1"

  private func world() throws -> OpenWorld {
    try OpenWorld { options in
      options.systems.agents.append(
        AgentDefinition(
          "shop",
          points: [
            AgentPoint(slots: [
              AgentSlot(choices: [
                AgentOption("a", meta: ["size": 3, "name": "A"]), AgentOption("b"),
              ])
            ])
          ]))
    }
  }

  @Test func `Selections have an item each, and their codes by agent`() async throws {
    let world = try world()
    let response = await world.post(
      path + "&traits=plan:pro",
      #"{ "commands": [{"a":"shop","c":["a"]},{"a":"checkout","s":"p","x":["blue"]}], "inputs": {"age":33} }"#,
      ["Content-Type": "application/json"])
    #expect(response.status == 200)
    #expect(response.json["status"] == 200)
    let data = try #require(response.json["data"])
    #expect(
      data["items"]?.array?.first
        == ["a": "shop", "c": "a", "p": "r", "md": ["size": "3", "name": "A"]])
    #expect(data["sels"] == ["shop": "a", "checkout": "green"])
    #expect(data["traits"] == ["cust/plan:pro"])
    #expect(data["log"] == [])
    let decisions = try world.decisions()
    #expect(decisions.map(\.status) == [.confirmed, .provisional])
    #expect(decisions.map(\.context) == [["age": 33], ["age": 33]])
  }

  @Test func `A goal rewards every agent that decided for the session`() async throws {
    let world = try world()
    let response = await world.post(
      path, #"[{"a":"shop"},{"g":"order","v":9.5},{"g":"order"}]"#)
    let items = try #require(response.json["data"]?["items"]?.array)
    #expect(items[1] == ["g": "order", "rs": [["a": "shop", "v": 9.5]]])
    #expect(items[2] == ["g": "order", "rs": []])
  }

  @Test func `A batch may be commands too, and its session is made if there is none`() async throws {
    let world = try world()
    let response = await world.post(
      "/acme/-/batch", #"{"commands":[{"a":"shop"},{"a":"checkout"}]}"#)
    #expect(response.json["data"]?["sels"]?.object?.count == 2)
    let units = Set(try world.events().filter { $0.kind == .decision }.map(\.unit))
    #expect(units.count == 1)
  }

  @Test func `A command that fails has its error beside the others`() async throws {
    let world = try world()
    let response = await world.post(path, #"{"commands":[{"a":"no code"},{"a":"shop"}]}"#)
    let items = try #require(response.json["data"]?["items"]?.array)
    #expect(items[0]["a"] == "no code")
    #expect(items[0]["err"]?.string?.isEmpty == false)
    #expect(items[1]["c"] != nil)
  }

  @Test(arguments: [
    "", "{}", "[7]", #"{"commands":7}"#, #"{"commands":[{}]}"#,
    #"{"commands":[{"a":"x","g":"y"}]}"#,
  ])
  func `Anything else is refused`(body: String) async throws {
    let world = try world()
    let response = await world.post(path, body)
    #expect(response.status == 400)
    #expect(response.json["err"]?.string?.isEmpty == false)
    #expect(try world.decisions().isEmpty)
  }

  @Test func `Parameters that were encoded by escape() are texts of Latin-1 and UTF-16`()
    async throws
  {
    let world = try world()
    _ = await world.get("/acme/shop/decision?session=s-1&segment=caf%E9")
    _ = await world.post(
      "/acme/shop/decision", "session=s-2&segment=%u20ACuro%20%E9",
      ["Content-Type": "application/x-www-form-urlencoded"])
    _ = await world.get("/acme/shop/decision?session=s-3&segment=caf%C3%A9")
    #expect(
      try world.decisions().map { $0.context?["segment"] }
        == [.text("caf\u{E9}"), .text("\u{20AC}uro \u{E9}"), .text("caf\u{E9}")])
    #expect(await world.get("/acme/shop/decision?session=%uD800").status == 400)
  }
}
