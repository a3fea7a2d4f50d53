import DecidingAgents
import Events
import Testing

@testable import Service

@Suite struct RecordedInputTests {
  private func last(_ world: OpenWorld) throws -> Decision {
    try #require(try world.decisions().last)
  }

  @Test(arguments: ["application/json", "text/plain"])
  func `Inputs of a decision are its context, and features of choices its features`(
    type: String
  ) async throws {
    let world = try OpenWorld()
    let body =
      #"{"session":"s-1","choices":["a","b"],"inputs":{"age":33,"place":{"country":"SE"}},"choiceFeatures":{"a":{"price":3.5}}}"#
    let response = await world.post(
      "/acme/shop/decision", body, ["Content-Type": type, "User-Agent": "browser"])
    #expect(response.status == 200)
    #expect(try last(world).context == ["age": 33, "place.country": "SE"])
    #expect(try last(world).features == ["a": ["price": 3.5]])
  }

  @Test func `Inputs in a query and in an item of a batch are recorded`() async throws {
    let world = try OpenWorld()
    _ = await world.get("/acme/shop/decision/a,b?session=s-1&inputs=%7B%22age%22:33%7D&ua=x")
    #expect(try last(world).context == ["age": 33])
    _ = await world.post(
      "/acme/-/batch", #"[{"agent":"shop","choices":"a,b","session":"s-2","inputs":{"age":7}}]"#)
    #expect(try last(world).context == ["age": 7])
  }

  @Test func `Attributes of an evaluation are the context of an agent's decision`() async throws {
    let world = try OpenWorld()
    let context = #"{"targetingKey":"u-1","country":"SE","age":33,"groups":["a"],"segment":"vip"}"#
    _ = await world.post(
      "/ofrep/v1/evaluate/flags/checkout", #"{"context":\#(context)}"#)
    #expect(try last(world).context == ["segment": "vip", "age": 33, "country": "SE"])
    let metrics = String(decoding: await world.get("/metrics").body, as: UTF8.self)
    #expect(metrics.contains("\nbandolier_inputs_left_out_total 1\n"))
  }

  @Test func `Features of a ranking are recorded, those of actions too`() async throws {
    let world = try OpenWorld()
    _ = await world.post(
      "/acme/news/personalizer/v1.0/rank",
      #"{"contextFeatures":[{"time":{"part":"evening"}},{"time":{"day":5},"device":"phone"}],"actions":[{"id":"a","features":[{"topic":"sports"},{"size":{"words":900}}]},{"id":"b","features":null}]}"#
    )
    #expect(
      try last(world).context == ["device": "phone", "time.day": 5, "time.part": "evening"])
    #expect(try last(world).features == ["a": ["size.words": 900, "topic": "sports"]])
  }

  @Test func `A service that records no inputs records those that a definition lists`() async throws {
    let world = try OpenWorld { options in
      options.systems.agentSettings.recordInputs = .none
      options.systems.agents.append(AgentDefinition("news", recordInputs: .only(["age"])))
    }
    for agent in ["shop", "news"] {
      _ = await world.post(
        "/acme/\(agent)/decision", #"{"choices":["a","b"],"inputs":{"age":33,"email":"x"}}"#)
    }
    #expect(try world.decisions().map(\.context) == [nil, ["age": 33]])
  }

  @Test func `Features of choices that are not recorded are counted, and the answer says why`()
    async throws
  {
    let world = try OpenWorld()
    let long = String(repeating: "x", count: 300)
    let many = (0..<70).map { "\"f\($0)\":\($0)" }.joined(separator: ",")
    let response = await world.post(
      "/acme/shop/decision?explain=1",
      #"{"choices":["a","b"],"choiceFeatures":{"a":{\#(many)},"b":{"text":"\#(long)","list":[1],"none":null,"ok":1},"c":{"price":1}}}"#
    )
    #expect(response.status == 200)
    #expect(try last(world).features?["a"]?.entries.count == 64)
    #expect(try last(world).features?["b"] == ["ok": 1])
    let text = String(decoding: response.body, as: UTF8.self)
    #expect(text.contains("of choice \\\"a\\\" was not recorded: there are more than 64"))
    #expect(text.contains("6 more inputs were not recorded"))
    let metrics = String(decoding: await world.get("/metrics").body, as: UTF8.self)
    #expect(metrics.contains("\nbandolier_inputs_left_out_total 9\n"))
  }

  @Test(arguments: ["7", "[]", #"{"a":7}"#])
  func `Features of choices that are no objects are refused`(features: String) async throws {
    let world = try OpenWorld()
    let response = await world.post(
      "/acme/shop/decision", #"{"choices":["a","b"],"choiceFeatures":\#(features)}"#)
    #expect(response.status == 400)
    #expect(response.json["err"]?.string?.contains("choiceFeatures") == true)
    #expect(try world.decisions().isEmpty)
  }
}
