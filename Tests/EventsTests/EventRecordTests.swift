import Testing

@testable import Events

@Suite("Event records")
struct EventRecordTests {
  @Test("a record has a place for each single text")
  func places() {
    #expect(EventRecord().texts.count == EventRecord.TextField.allCases.count)
  }

  @Test("round-trip any event", arguments: 0..<6)
  func roundTrip(seed: UInt64) throws {
    var events = RandomEvents(seed: 500 + seed)
    var record = EventRecord()
    for _ in 0..<1_000 {
      let event = events.event()
      try record.load(event)
      #expect(try Event(record) == event, "seed \(seed)")
      #expect(record.kind == event.kind)
    }
  }

  @Test("are empty after a reset")
  func reset() throws {
    var events = RandomEvents(seed: 1)
    var record = EventRecord()
    for _ in 0..<200 {
      try record.load(events.event())
      record.reset(kind: .sessionExpired, time: .latest)
      record[.unit] = record.add("")
      #expect(
        try Event(record)
          == Event(time: .latest, unit: "", payload: .sessionExpired(SessionExpired())))
      #expect(
        record.choices.isEmpty && record.probabilities.isEmpty && record.changed.isEmpty
          && record.context.isEmpty && record.features.isEmpty && record.featureGroups.isEmpty
          && record.metadata.isEmpty && record.bytes.isEmpty)
    }
  }

  @Test("refuse invalid events")
  func refusals() {
    let refused: [(Payload, UnitID, String)] = [
      (.goal(Goal(experiment: "e", goal: "g", value: .nan)), "u", "\"value\" must be a finite"),
      (
        .goal(Goal(experiment: "e", goal: "g", status: .repeated)), "u", "does not belong to a goal"
      ),
      (.goal(Goal(experiment: "e", goal: "g")), "", "\"unit\" is empty"),
      (.conversion(Conversion(goal: "g", revenue: -.infinity)), "u", "\"revenue\""),
      (
        .conversion(Conversion(goal: "g", metadata: ["m": .number(.infinity)])), "u",
        "attribute \"m\" must be a finite number"
      ),
      (.dataPoint(DataPoint(kind: "k", value: .number(.nan))), "u", "value must be finite"),
      (.decision(Decision(experiment: "e", variant: "v", propensity: .nan)), "u", "\"propensity\""),
      (
        .decision(
          Decision(experiment: "e", variant: "v", choices: ["v"], probabilities: [0.5, 0.5])), "u",
        "2 probabilities for 1 choices"
      ),
      (
        .decision(Decision(experiment: "e", variant: "v", probabilities: [.nan])), "u",
        "\"probabilities\" must be finite"
      ),
      (
        .decision(Decision(experiment: "e", variant: "v", status: .refused)), "u", "does not belong"
      ),
    ]
    for (payload, unit, reason) in refused {
      var record = EventRecord()
      let problem = #expect(throws: EventProblem.self) {
        try record.load(Event(time: .earliest, unit: unit, payload: payload))
      }
      #expect(problem?.description.contains(reason) == true, "\(reason)")
    }
  }

  @Test("report the missing field", arguments: EventKind.allCases)
  func missing(kind: EventKind) {
    let required: [EventKind: [EventRecord.TextField]] = [
      .decision: [.experiment, .variant], .goal: [.experiment, .goal], .conversion: [.goal],
      .dataPoint: [.dataKind], .decisionConfirmed: [.experiment], .configurationApplied: [.system],
    ]
    for missing in [.unit] + (required[kind] ?? []) {
      var record = EventRecord(kind: kind)
      for field in [.unit] + (required[kind] ?? []) where field != missing {
        record[field] = record.add("x")
      }
      let name = missing == .dataKind ? "kind" : "\(missing)"
      let problem = #expect(throws: EventProblem.self) { try record.validate() }
      #expect(problem?.description.contains("must have \"\(name)\"") == true)
      record[missing] = record.add("x")
      #expect(throws: Never.self) { try record.validate() }
    }
  }

  @Test("turn integers up to 2^53 into numbers")
  func wholeNumbers() throws {
    let event = Event(
      time: .earliest, unit: "u", payload: .dataPoint(DataPoint(kind: "k", value: .integer(7))))
    var record = EventRecord()
    try record.load(event)
    #expect(record.dataValue == .number(7))
    #expect(AttributeValue(1 << 53) == .number(9_007_199_254_740_992))
    #expect(AttributeValue(1 << 53 + 1) == .integer(9_007_199_254_740_993))
    #expect(AttributeValue(.min) == .integer(.min))
  }

  @Test("keep attributes in order, with unique names")
  func attributes() {
    var attributes: Attributes = ["b": 1, "a": "x", "b": 2]
    #expect(attributes.entries.map(\.name) == ["b", "a"] && attributes["b"] == 2)
    attributes["b"] = nil
    attributes["c"] = true
    #expect(attributes.entries.map(\.name) == ["a", "c"] && attributes["b"] == nil)
    var features: Features = ["red": ["p": 1], "blue": [:]]
    features["red"] = nil
    #expect(features.entries.map(\.variant) == ["blue"] && features["blue"] == Attributes())
  }
}
