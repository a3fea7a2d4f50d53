import Events
import Testing

/// Which system wrote an event, and where a goal counts: fields that older versions did not have.
@Suite("System and instance of an event")
struct EventSystemTests {
  private static let payloads: [Payload] = [
    .decision(Decision(experiment: "e", variant: "a")), .goal(Goal(experiment: "e", goal: "g")),
    .conversion(Conversion(goal: "g")), .dataPoint(DataPoint(kind: "custom")),
    .sessionExpired(SessionExpired()), .assignmentRemoved(AssignmentRemoved()),
    .decisionConfirmed(DecisionConfirmed(experiment: "e")),
    .configurationApplied(ConfigurationApplied(system: .agents)),
  ]

  private static func event(_ payload: Payload, _ system: SystemID?, _ instance: InstanceID?)
    -> Event
  {
    Event(
      time: Timestamp(microseconds: 0), unit: "u", system: system, instance: instance,
      payload: payload)
  }

  @Test("follow the unit in every kind of event, and round-trip", arguments: payloads)
  func everyKind(payload: Payload) throws {
    let event = Self.event(payload, .agents, "shop")
    let line = try event.jsonLine
    #expect(line.contains(#""unit":"u","system":"agents","instance":"shop""#))
    #expect(try Event(jsonLine: line) == event)
    #expect(event.system == .agents && event.instance == "shop")
  }

  @Test("are omitted if absent", arguments: payloads.dropLast())
  func none(payload: Payload) throws {
    let event = Self.event(payload, nil, nil)
    let line = try event.jsonLine
    #expect(!line.contains("system") && !line.contains("instance"))
    #expect(try Event(jsonLine: line).system == nil)
    let null = line.dropLast() + #","system":null,"instance":null}"#
    #expect(try Event(jsonLine: String(null)) == event)
  }

  @Test("a system of another version is preserved, and names are compared by their bytes")
  func unknown() throws {
    let event = Self.event(.conversion(Conversion(goal: "g")), "caf\u{E9}", nil)
    let again = try Event(jsonLine: event.jsonLine)
    #expect(again == event && again.system != "cafe\u{301}")
    #expect(
      try Event(
        jsonLine: #"{"type":"goal","time":0,"unit":"u","experiment":"e","goal":"g","instance":2}"#
      ).instance == "2")
  }

  @Test("a configuration has only its own system")
  func configuration() {
    let applied = ConfigurationApplied(system: .studies)
    var event = Self.event(.configurationApplied(applied), .agents, nil)
    #expect(event == Self.event(.configurationApplied(applied), nil, nil))
    #expect(event.system == .studies)
    event.system = nil
    #expect(event.system == .studies)
    event.system = .rollouts
    #expect(event.payload == .configurationApplied(ConfigurationApplied(system: .rollouts)))
    var other = Self.event(.conversion(Conversion(goal: "g")), .agents, nil)
    other.payload = .configurationApplied(applied)
    #expect(other == Self.event(.configurationApplied(applied), nil, nil))
    other.payload = .conversion(Conversion(goal: "g"))
    #expect(other.system == nil)
  }

  @Test(
    "invalid values under these names in older files are preserved",
    arguments: [
      #""system":5"#, #""system":{"os":"linux"}"#, #""system":true"#, #""instance":1.5"#,
      #""instance":["a"]"#, #""point":{"x":1}"#, #""slot":0.5,"point":false"#,
    ], [false, true])
  func older(members: String, isTypeLast: Bool) throws {
    let rest = #""time":"1970-01-01T00:00:00Z","unit":"u","experiment":"e","goal":"g""#
    let line =
      isTypeLast
      ? "{\(members),\(rest),\"type\":\"goal\"}" : "{\"type\":\"goal\",\(rest),\(members)}"
    let event = try Event(jsonLine: line)
    #expect(event.unknownFields.text == members)
    #expect(event.system == nil && event.instance == nil)
    #expect(try event.jsonLine == "{\"type\":\"goal\",\(rest),\(members)}")
  }

  @Test("a configuration's system must be a text, as before")
  func required() {
    for system in [#""system":5,"#, ""] {
      #expect(throws: JSONLineError.self) {
        try Event(jsonLine: "{\"type\":\"configurationApplied\",\(system)\"time\":0,\"unit\":\"\"}")
      }
    }
  }

  @Test("a goal may name a point and a slot")
  func goal() throws {
    let goal = Goal(experiment: "e", point: "cart", slot: "2", goal: "buy", value: 3)
    let event = Self.event(.goal(goal), nil, nil)
    let line = try event.jsonLine
    #expect(line.contains(#""experiment":"e","point":"cart","slot":"2","goal":"buy","value":3"#))
    #expect(try Event(jsonLine: line) == event)
    #expect(try Event(jsonLine: line.replacing("\"2\"", with: "2")) == event)
  }
}
