import DecidingAgents
import DecidingExperiments
import Events
import Testing

@testable import Service

@Suite struct OpenFeatureTests {
  private static let path = "/ofrep/v1/evaluate/flags"

  private func evaluate(
    _ world: OpenWorld, _ key: String, _ context: String = #""targetingKey":"u-1""#
  ) async -> ServiceResponse {
    await world.post("\(Self.path)/\(key)", #"{"context":{\#(context)}}"#)
  }

  // MARK: Values

  @Test func `A flag with one variable has the value of the variable`() async throws {
    let world = try OpenWorld()
    let response = await evaluate(world, "search")
    #expect(response.status == 200)
    #expect(response.json["key"] == "search")
    #expect(response.json["value"] == 20)
    #expect(response.json["variant"] == "on")
    #expect(response.json["reason"] == "SPLIT")
    let metadata = response.json["metadata"]
    #expect(metadata?["experiment"] == "7001")
    #expect(metadata?["system"] == "experiments")
    #expect(metadata?["propensity"] == 1)
    #expect(metadata?["site"] == "shop")
  }

  @Test func `The context names one of several variables`() async throws {
    let world = try OpenWorld()
    let hue = await evaluate(world, "colors", #""targetingKey":"u-1","variableKey":"hue""#)
    #expect(hue.json["value"] == 0)
    let name = await evaluate(world, "colors", #""targetingKey":"u-1","variableKey":"name""#)
    #expect(name.json["value"] == "Red")
    let none = await evaluate(world, "colors")
    #expect(none.json["value"] == "red")
    #expect(none.json["reason"] == "STATIC")
  }

  @Test func `A variable that the variant lacks is an invalid context`() async throws {
    let world = try OpenWorld()
    let response = await evaluate(world, "colors", #""targetingKey":"u-1","variableKey":"hut""#)
    #expect(response.status == 400)
    #expect(response.json["errorCode"] == "INVALID_CONTEXT")
    #expect(response.json["errorDetails"]?.string?.contains(#"did you mean "hue"?"#) == true)
  }

  @Test func `Variants on and off are truth values`() async throws {
    let world = try OpenWorld()
    let off = await evaluate(world, "banner")
    #expect(off.json["value"] == false)
    #expect(off.json["variant"] == "off")
    let on = await evaluate(world, "fast")
    #expect(on.json["variant"] == "on")
    #expect(on.json["metadata"]?["system"] == "rollouts")
  }

  @Test func `An experiment has the id of its variation as value`() async throws {
    let world = try OpenWorld()
    let response = await evaluate(world, "layout")
    let variant = try #require(response.json["variant"]?.string)
    #expect(["wide", "narrow"].contains(variant))
    #expect(response.json["value"] == .string(variant))
    #expect(response.json["metadata"]?["propensity"] == 0.5)
  }

  @Test func `An agent chooses among the choices of its definition`() async throws {
    let world = try OpenWorld()
    let response = await evaluate(world, "checkout")
    let variant = try #require(response.json["variant"]?.string)
    #expect(["blue", "green"].contains(variant))
    #expect(response.json["value"] == .string(variant))
    #expect(response.json["reason"] == "SPLIT")
    let name = try #require(response.json["metadata"]?["name"]?.string)
    #expect(name.lowercased().hasPrefix(variant))
  }

  @Test func `A user who is in no variation gets no value and so the default of the app`()
    async throws
  {
    let world = try OpenWorld()
    for key in ["nobody", "french"] {
      let response = await evaluate(world, key)
      #expect(response.status == 200)
      #expect(response.json["value"] == nil)
      #expect(response.json["variant"] == "reference")
      #expect(response.json["reason"] == "STATIC")
    }
    let closed = await evaluate(world, "closed")
    #expect(closed.json["reason"] == "DISABLED")
    #expect(closed.json["value"] == nil)
    #expect(closed.json["variant"] == "off")
  }

  @Test func `A list is no value of the protocol, and nobody is recorded as exposed to it`()
    async throws
  {
    let world = try OpenWorld { options in
      let site = OpenWorld.site
        .replacing(#""NUMBER","value":10}"#, with: #""JSON","value":{"items":[1]}}"#)
        .replacing(#""limit":20}"#, with: #""limit":[1,2]}"#)
      if let configuration = try? ExperimentConfiguration(parsing: site) {
        options.systems.sites = [configuration]
      }
      options.systems.agents = [
        AgentDefinition(
          "sizes",
          points: [
            AgentPoint(slots: [
              AgentSlot(choices: [AgentOption("a", meta: ["sizes": [1, 2]]), AgentOption("b")])
            ])
          ])
      ]
    }
    let all = await world.post(Self.path, #"{"context":{"targetingKey":"u-1"}}"#)
    let flags = try #require(all.json["flags"]?.array)
    for (key, name) in [("search", "limit"), ("sizes", "sizes")] {
      let one = await evaluate(world, key)
      #expect(one.status == 400)
      let entry = flags.first { $0["key"] == .string(key) }
      for json in [one.json, try #require(entry)] {
        #expect(json["key"] == .string(key) && json["value"] == nil)
        #expect(json["errorCode"] == "GENERAL")
        let details = json["errorDetails"]?.string ?? ""
        #expect(details.hasPrefix("the value of \"\(name)\" is a list"), "\(details)")
      }
      #expect(try !world.decisions().contains { $0.experiment == ExperimentID(key) })
    }
    // The slot of an agent is the code of its choice.
    let slot = await evaluate(
      world, "sizes", #""targetingKey":"u-1","variableKey":"decision-1""#)
    #expect(slot.json["value"]?.string != nil)
  }

  @Test func `An object with a list is a value`() async throws {
    let world = try OpenWorld { options in
      let site = OpenWorld.site
        .replacing(#""NUMBER","value":10}"#, with: #""JSON","value":{"items":[]}}"#)
        .replacing(#""limit":20}"#, with: #""limit":{"items":[1,2]}}"#)
      if let configuration = try? ExperimentConfiguration(parsing: site) {
        options.systems.sites = [configuration]
      }
    }
    #expect(await evaluate(world, "search").json["value"] == ["items": [1, 2]])
  }

  // MARK: Context

  @Test func `Targeting reads the attributes of the request and of no other`() async throws {
    let world = try OpenWorld()
    let french = #""targetingKey":"u-1","country":"FR""#
    #expect(await evaluate(world, "banner", french).json["value"] == true)
    #expect(await evaluate(world, "banner").json["value"] == false)
    #expect(await evaluate(world, "french", french).json["variant"] == "a")
    #expect(await evaluate(world, "french", #""targetingKey":"u-2""#).json["value"] == nil)
  }

  @Test func `Rollouts read the language`() async throws {
    let world = try OpenWorld()
    let german = await evaluate(world, "german", #""targetingKey":"u-1","language":"de-AT""#)
    #expect(german.json["value"] == true)
    let french = await evaluate(world, "german", #""targetingKey":"u-2","language":"fr""#)
    #expect(french.json["value"] == nil)
    #expect(french.json["metadata"]?["reason"] == "language")
  }

  @Test func `The targeting key is the session of an agent, and rules read the attributes`()
    async throws
  {
    let world = try OpenWorld { options in
      options.systems.agents[0].rules = [
        AgentRule(
          "pro", when: [AgentCondition(.input("plan"), .eq, "pro")],
          then: .fixed("green", slot: nil))
      ]
    }
    let response = await evaluate(world, "checkout", #""targetingKey":"s-9","plan":"pro""#)
    #expect(response.json["variant"] == "green")
    #expect(response.json["reason"] == "TARGETING_MATCH")
    #expect(try world.events().last?.unit == "s-9")
  }

  // MARK: Recording

  @Test func `An evaluation is a durable exposure`() async throws {
    let world = try OpenWorld()
    _ = await evaluate(world, "search")
    let decision = try #require(try world.decisions().last)
    #expect(decision.experiment == "search")
    #expect(decision.variant == "on")
    #expect(decision.status ?? .confirmed == .confirmed)
    let (live, replayed) = try world.states()
    #expect(live == replayed)
  }

  @Test func `The same user gets the same value after a restart`() async throws {
    let world = try OpenWorld()
    var before: [String: JSONValue?] = [:]
    for key in ["layout", "checkout", "fast", "search"] {
      before[key] = await evaluate(world, key).json["value"]
    }
    try await world.restart()
    for (key, value) in before {
      #expect(await evaluate(world, key).json["value"] == value, "\(key)")
    }
  }

  // MARK: All flags

  @Test func `All flags are evaluated without an exposure`() async throws {
    let world = try OpenWorld()
    let response = await world.post(Self.path, #"{"context":{"targetingKey":"u-1"}}"#)
    #expect(response.status == 200)
    let flags = try #require(response.json["flags"]?.array)
    let keys = flags.compactMap { $0["key"]?.string }
    #expect(
      keys == [
        "search", "banner", "colors", "closed", "layout", "nobody", "french", "fast", "german",
        "checkout",
      ])
    #expect(flags.allSatisfy { $0["reason"] != nil })
    #expect(try world.decisions().allSatisfy { $0.status != .confirmed && $0.status != nil })
    let (live, replayed) = try world.states()
    #expect(live == replayed)
  }

  @Test func `What is prefetched is what is evaluated later, which counts it`() async throws {
    let world = try OpenWorld()
    let response = await world.post(Self.path, #"{"context":{"targetingKey":"u-1"}}"#)
    for flag in try #require(response.json["flags"]?.array) {
      let key = try #require(flag["key"]?.string)
      let single = await evaluate(world, key)
      #expect(single.json["value"] == flag["value"], "\(key)")
      #expect(single.json["variant"] == flag["variant"], "\(key)")
    }
    let confirmed = try world.events().filter {
      if case .decisionConfirmed = $0.payload { true } else { false }
    }
    #expect(!confirmed.isEmpty)
  }

  @Test func `All flags have an ETag by which a client learns that nothing has changed`()
    async throws
  {
    let world = try OpenWorld()
    let body = #"{"context":{"targetingKey":"u-1"}}"#
    let tag = try #require(await world.post(Self.path, body).fields["etag"])
    let same = await world.post(Self.path, body, ["if-none-match": "\"x\", \(tag)"])
    #expect(same.status == 304)
    #expect(same.body.isEmpty)
    #expect(same.fields["etag"] == tag)
    #expect(tag.hasPrefix("W/"))
    let other = await world.post(
      Self.path, #"{"context":{"targetingKey":"u-1","country":"FR"}}"#, ["if-none-match": tag])
    #expect(other.status == 200)
  }

  // MARK: The protocol

  @Test func `Reasons are those of the protocol`() async throws {
    let world = try OpenWorld()
    let response = await world.post(Self.path, #"{"context":{"targetingKey":"u-1"}}"#)
    let reasons = try #require(response.json["flags"]?.array).compactMap { $0["reason"]?.string }
    #expect(
      Set(reasons).isSubset(of: ["STATIC", "TARGETING_MATCH", "SPLIT", "DISABLED", "UNKNOWN"]))
    #expect(
      Set(FlagReason.allCases.map(\.rawValue))
        == ["STATIC", "TARGETING_MATCH", "SPLIT", "DISABLED", "UNKNOWN"])
  }

  @Test(arguments: [
    ("10.5", "20", "20.0"), ("10", "20.0", "20.0"), ("10", "20", "20"), ("10.0", "-3", "-3.0"),
    ("10", "1e3", "1000.0"),
  ])
  func `A number has a decimal point if it has one in any variation`(
    standard: String, on: String, expected: String
  ) async throws {
    let world = try OpenWorld { options in
      let site = OpenWorld.site
        .replacing(#""NUMBER","value":10}"#, with: #""NUMBER","value":\#(standard)}"#)
        .replacing(#""limit":20}"#, with: #""limit":\#(on)}"#)
      if let configuration = try? ExperimentConfiguration(parsing: site) {
        options.systems.sites = [configuration]
      }
    }
    for _ in 0..<2 {
      let single = String(decoding: await evaluate(world, "search").body, as: UTF8.self)
      #expect(single.contains("\"value\":\(expected),"))
      let all = await world.post(Self.path, #"{"context":{"targetingKey":"u-1"}}"#)
      #expect(
        String(decoding: all.body, as: UTF8.self).contains(
          "\"key\":\"search\"")
          && String(decoding: all.body, as: UTF8.self).contains(
            "\"value\":\(expected),")
      )
      try await world.restart()
    }
  }

  @Test func `A number in the metadata of a choice keeps its type`() async throws {
    let world = try OpenWorld { options in
      options.systems.agents = [
        AgentDefinition(
          "rate",
          points: [
            AgentPoint(slots: [AgentSlot(choices: [AgentOption("a", meta: ["rate": .number(2)])])])
          ])
      ]
    }
    for _ in 0..<2 {
      let body = String(decoding: await evaluate(world, "rate").body, as: UTF8.self)
      #expect(body.contains("\"value\":2.0,"))
      try await world.restart()
    }
  }

  @Test(arguments: ["", "/search"])
  func `Every problem has an error code of the protocol`(path: String) async throws {
    let world = try OpenWorld()
    let large = await world.post(Self.path + path, String(repeating: " ", count: 70_000))
    #expect(large.status == 413)
    #expect(large.json["errorCode"] == "GENERAL")
    await world.service.drain()
    let stopped = await world.post(Self.path + path, #"{"context":{"targetingKey":"u-1"}}"#)
    #expect(stopped.json["errorCode"] == "GENERAL")
    // The key of the flag is required where one is asked for.
    let key = path.isEmpty ? nil : JSONValue.string("search")
    #expect(large.json["key"] == key && stopped.json["key"] == key)
  }

  /// The schemas `evaluationSuccess` and `evaluationFailure` of the protocol.
  @Test func `Every entry of all flags is an evaluation or a failure of the schema`() async throws {
    let world = try OpenWorld()
    for body in [
      #"{"targetingKey":"u-1"}"#, #"{"targetingKey":"u-2","point":"none"}"#,
      #"{"targetingKey":"u-3","variableKey":"none"}"#,
    ] {
      let response = await world.post(Self.path, #"{"context":\#(body)}"#)
      for flag in try #require(response.json["flags"]?.array) {
        #expect(flag["key"]?.string?.isEmpty == false)
        if let code = flag["errorCode"]?.string {
          #expect(
            ["PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT", "GENERAL"].contains(code))
          #expect(flag["errorDetails"]?.string != nil && flag["value"] == nil)
        } else {
          let reason = try #require(flag["reason"]?.string)
          #expect(
            ["STATIC", "TARGETING_MATCH", "SPLIT", "DISABLED", "UNKNOWN"].contains(reason))
          // Without a value, the default of the application applies.
          switch flag["value"] {
          case nil, .boolean, .string, .integer, .number, .object: break
          default: Issue.record("\(flag)")
          }
        }
      }
    }
  }

  // MARK: Errors

  @Test func `An unknown flag is not found, and the nearest one is named`() async throws {
    let world = try OpenWorld()
    let response = await evaluate(world, "serch")
    #expect(response.status == 404)
    #expect(response.json["errorCode"] == "FLAG_NOT_FOUND")
    #expect(response.json["key"] == "serch")
    #expect(response.json["errorDetails"]?.string?.contains(#"did you mean "search"?"#) == true)
  }

  @Test(arguments: [
    ("{", "PARSE_ERROR"), ("[]", "PARSE_ERROR"), ("", "TARGETING_KEY_MISSING"),
    ("{}", "TARGETING_KEY_MISSING"), (#"{"context":{}}"#, "TARGETING_KEY_MISSING"),
    (#"{"context":{"targetingKey":""}}"#, "TARGETING_KEY_MISSING"),
    (#"{"context":7}"#, "INVALID_CONTEXT"),
    (#"{"context":{"targetingKey":7}}"#, "INVALID_CONTEXT"),
  ])
  func `An invalid context has the error code of the protocol`(body: String, code: String)
    async throws
  {
    let world = try OpenWorld()
    let single = await world.post("\(Self.path)/search", body)
    #expect(single.status == 400)
    #expect(single.json["errorCode"] == .string(code))
    #expect(single.json["key"] == "search")
    let all = await world.post(Self.path, body)
    #expect(all.status == 400)
    #expect(all.json["errorCode"] == .string(code))
    #expect(try world.decisions().isEmpty)
  }

  @Test func `A targeting key that is too long for a site is an invalid context`() async throws {
    let world = try OpenWorld()
    let key = String(repeating: "x", count: 256)
    let response = await evaluate(world, "search", #""targetingKey":"\#(key)""#)
    #expect(response.status == 400)
    #expect(response.json["errorCode"] == "INVALID_CONTEXT")
  }

  @Test func `Flags are not evaluated while the service is being stopped`() async throws {
    let world = try OpenWorld()
    await world.service.drain()
    let response = await evaluate(world, "search")
    #expect(response.status == 503)
    #expect(response.json["errorDetails"] != nil)
    #expect(response.fields["retry-after"] == "1")
  }
}
