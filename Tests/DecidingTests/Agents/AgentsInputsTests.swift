import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("Inputs that agents record")
struct AgentsInputsTests {
  private func request(
    _ inputs: JSONObject, _ features: [String: JSONObject] = [:], session: String = "s-1"
  ) -> DecisionRequest {
    var request = DecisionRequest.of(session: session)
    request.inputs = inputs
    request.choiceFeatures = features
    return request
  }

  private func context(
    _ inputs: JSONObject, _ definition: AgentDefinition = AgentDefinition("x"),
    settings: AgentSettings = AgentSettings()
  ) throws -> Attributes? {
    let host = try AgentsHost(definition, settings: settings)
    try host.decide(request(inputs))
    return try #require(host.decisions.last).context
  }

  @Test("an agent without a policy records them as the context, with their types")
  func recorded() throws {
    let context = try context([
      "country": "SE", "age": 33, "share": 0.5, "isMember": true, "zip": "01234",
      "place": ["city": "Lund", "geo": ["zone": 7]], "nothing": .null,
    ])
    #expect(
      context == [
        "age": 33, "country": "SE", "isMember": true, "place.city": "Lund", "place.geo.zone": 7,
        "share": 0.5, "zip": "01234",
      ])
  }

  @Test("an agent that learns by itself records them too, beside the segment and the features")
  func learning() throws {
    let host = try AgentsHost(AgentDefinition("x", policy: "thompson"))
    var request = request(["age": 33])
    request.segment = "vip"
    request.features = [AgentFeature("visits", weight: 4)]
    try host.decide(request)
    #expect(
      try #require(host.decisions.last).context
        == ["segment": "vip", "feature:visits": 4, "age": 33])
  }

  @Test("the attributes of choices are recorded, those of the request before the defined ones")
  func features() throws {
    let host = try AgentsHost(
      AgentDefinition(
        "x",
        points: [
          AgentPoint(slots: [
            AgentSlot(choices: [AgentOption("a", meta: ["brand": "acme", "price": 2]), .init("b")])
          ])
        ]))
    try host.decide(request([:], ["a": ["price": 3.5], "b": ["box": ["size": 1]], "c": ["x": 1]]))
    #expect(
      try #require(host.decisions.last).features
        == ["a": ["price": 3.5, "brand": "acme"], "b": ["box.size": 1]])
  }

  @Test("what cannot be an attribute is left out, said and counted")
  func leftOut() throws {
    let host = try AgentsHost(AgentDefinition("x"))
    let reply = try host.decide(
      request([
        "list": [1, 2], "long": .string(String(repeating: "a", count: 257)), "ok": 1,
        "segment": "vip", "feature:x": 1,
      ]))
    #expect(try #require(host.decisions.last).context == ["ok": 1])
    #expect(host.agents.inputsLeftOut == 4)
    #expect(reply.warnings.count == 4)
    #expect(reply.warnings.contains { $0.contains("\"list\" was not recorded: it is") })
    #expect(reply.warnings.last == "1 more inputs were not recorded")
    // An answer that records nothing leaves nothing out.
    try host.decide(request(["list": [1]]))
    #expect(host.agents.inputsLeftOut == 4)
  }

  @Test(
    "a warning is cut to 1,000 bytes, whatever it quotes",
    arguments: [
      String(repeating: "x", count: 100_000), "e" + String(repeating: "\u{301}", count: 100_000),
    ])
  func warnings(name: String) throws {
    let host = try AgentsHost(
      AgentDefinition(
        "x",
        rules: [
          AgentRule(
            name, when: [AgentCondition(.input("ok"), .eq, 1)],
            then: .fixed("nowhere", slot: "decision-1"))
        ]))
    var request = request([name: [1], "ok": 1], ["a": [name: 1], name: ["x": 1]])
    request.features = [AgentFeature(name, weight: .infinity)]
    let reply = try host.decide(request)
    #expect(reply.warnings.count == 5)
    for warning in reply.warnings {
      #expect(warning.utf8.count <= 1_000, "\(warning)")
    }
    for words in ["is not finite", "has no permitted choice", "name has more", "no slot"] {
      #expect(reply.warnings.contains { $0.contains(words) }, "\(words): \(reply.warnings)")
    }
  }

  @Test("a decision records at most 64 inputs")
  func limit() throws {
    let inputs = JSONObject(
      (100..<200).map { JSONObject.Member(name: "i\($0)", value: .integer($0)) })
    let host = try AgentsHost(AgentDefinition("x"))
    try host.decide(request(inputs))
    let context = try #require(host.decisions.last?.context)
    #expect(context.entries.map(\.name) == (100..<164).map { "i\($0)" })
    #expect(host.agents.inputsLeftOut == 36)
  }

  @Test("deep objects are not taken apart beyond the length of a name")
  func depth() throws {
    var value: JSONValue = 1
    for _ in 0..<100 { value = ["level": value] }
    let host = try AgentsHost(AgentDefinition("x"))
    try host.decide(request(["a": value]))
    #expect(try #require(host.decisions.last).context == nil)
    #expect(host.agents.inputsLeftOut == 1)
  }

  @Test("addresses and programs of visitors are recorded only where they are listed")
  func personal() throws {
    let inputs: JSONObject = ["ip": "127.0.0.1", "ua": "x", "referer": "y", "age": 1]
    #expect(try context(inputs) == ["age": 1])
    var definition = AgentDefinition("x", recordInputs: .only(["ua", "age"]))
    #expect(try context(inputs, definition) == ["age": 1, "ua": "x"])
    definition.recordInputs = RecordedInputs.none
    #expect(try context(inputs, definition) == nil)
  }

  @Test("a definition comes before the settings")
  func settings() throws {
    let settings = AgentSettings(recordInputs: .none)
    #expect(try context(["age": 1], settings: settings) == nil)
    #expect(
      try context(["age": 1], AgentDefinition("x", recordInputs: .all), settings: settings)
        == ["age": 1])
  }

  @Test(arguments: ["\"all\"", "\"none\"", "[\"age\",\"place.city\"]"])
  func `what is recorded is part of the definition`(text: String) throws {
    let json = try JSONValue(parsing: "{\"agent\":\"x\",\"recordInputs\":\(text)}")
    let definition = try AgentDefinition(json: json)
    #expect(definition.json == json)
    #expect(try AgentDefinition(json: definition.json) == definition)
  }

  @Test(arguments: ["\"some\"", "7", "[7]"])
  func `anything else is refused with its path`(text: String) throws {
    let json = try JSONValue(parsing: "{\"agent\":\"x\",\"recordInputs\":\(text)}")
    let error = #expect(throws: AgentError.self) { try AgentDefinition(json: json) }
    #expect(error?.description.contains("recordInputs") == true)
  }

  @Test("rules read inputs inside of objects, and numbers as texts")
  func rules() throws {
    let rules = [
      AgentRule(
        "lund", when: [AgentCondition(.input("place.city"), .eq, "Lund")], then: .segment("lund")),
      AgentRule(
        "nine", when: [AgentCondition(.input("zip"), .starts, "94")],
        then: .feature(AgentFeature("nine"))),
    ]
    let host = try AgentsHost(AgentDefinition("x", rules: rules))
    let reply = try host.decide(request(["place": ["city": "Lund"], "zip": 94_110]))
    #expect(reply.segment == "lund")
    #expect(reply.features == [AgentFeature("nine")])
  }
}
