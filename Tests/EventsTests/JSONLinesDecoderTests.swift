import Foundation
import TestSupport
import Testing

@testable import Events

@Suite("JSON Lines decoder")
struct JSONLinesDecoderTests {
  static let head = #"{"type":"goal","time":0,"unit":"u","experiment":"e","goal":"g""#

  static func decode(_ line: String) throws -> Event { try Event(jsonLine: line) }

  static func goal(_ members: String) throws -> Goal {
    guard case .goal(let goal) = try decode(head + "," + members + "}").payload else {
      throw CocoaError(.coderInvalidValue)
    }
    return goal
  }

  @Test("reads the decision of the contract with all its fields")
  func decision() throws {
    let event = try Self.decode(Examples.decision)
    #expect(
      event
        == Event(
          time: Timestamp(microseconds: 1_767_323_045_678_901), unit: "s-42", id: "e1",
          payload: .decision(
            Decision(
              experiment: "checkout", point: "cart", slot: "color", variant: "red",
              choices: ["red", "blue"], propensity: 0.5, probabilities: [0.5, 0.5],
              policy: "thompson", reason: "random", status: .confirmed,
              context: ["country": "US", "age": 33],
              features: ["red": ["price": 3.5], "blue": ["price": 3.1]]))))
  }

  @Test("reads the goal, the conversion and the data point of the contract")
  func otherKinds() throws {
    #expect(
      try Self.decode(Examples.goal).payload
        == .goal(Goal(experiment: "checkout", goal: "purchase", value: 3.99)))
    #expect(
      try Self.decode(Examples.conversion).payload
        == .conversion(
          Conversion(goal: "83023", revenue: 10, negative: false, metadata: ["plan": "pro"])))
    #expect(
      try Self.decode(Examples.dataPoint).payload
        == .dataPoint(DataPoint(kind: "custom", key: "1", value: "gold")))
  }

  @Test(
    "the value of a goal is a number, or a truth value that counts 1 or 0",
    arguments: [("true", 1), ("false", 0), ("1", 1), ("0", 0)] as [(String, Double)])
  func truth(_ text: String, _ value: Double) throws {
    #expect(try Self.goal(#""value":\#(text)"#).value == value)
    #expect(throws: JSONLineError.self) { try Self.goal(#""value":t\#(text)"#) }
  }

  @Test("reads the life-cycle events")
  func lifeCycle() throws {
    let payloads = try Examples.lifeCycle.map { try Self.decode($0).payload }
    #expect(
      payloads == [
        .sessionExpired(SessionExpired(experiment: "checkout", reason: "requested")),
        .assignmentRemoved(AssignmentRemoved(experiment: "search", reason: "conditions")),
        .decisionConfirmed(DecisionConfirmed(experiment: "checkout", point: "cart")),
        .configurationApplied(
          ConfigurationApplied(
            system: "agents", experiment: "checkout", reason: "paused", changed: ["state"],
            configuration: JSONText(validated: #"{"state":"paused"}"#))),
      ])
  }

  @Test("accepts the keys in any order, also with the type last")
  func anyOrder() throws {
    var generator = SeededGenerator(seed: 11)
    let event = try Self.decode(Examples.decision)
    for _ in 0..<200 {
      let line = PlainJSON(event).shuffled(using: &generator).spelled(using: &generator)
      #expect(try Self.decode(line) == event, "\(line)")
    }
  }

  @Test("preserves unknown keys and keys of other kinds, in order")
  func unknownKeys() throws {
    let line =
      #"{"variant":"v","a" : [1, {"b":null}],"type":"goal","time":0,"unit":"u","experiment":"e","#
      + #""goal":"g","policy":null,"\u0061":"\n"}"#
    #expect(
      try Self.decode(line).unknownFields.text
        == #""variant":"v","a" : [1, {"b":null}],"policy":null,"\u0061":"\n""#)
    #expect(try Self.decode(Self.head + #","x":1}"#).unknownFields.text == #""x":1"#)
    #expect(try Self.decode(Self.head + "}").unknownFields.isEmpty)
  }

  @Test("recognizes a key that is written with escapes")
  func escapedKey() throws {
    #expect(try Self.goal(#""v\u0061lue":2"#).value == 2)
    #expect(
      try Self.decode(
        #"{"\u0074ype":"\u0067oal","time":"1970-01-01T00:00:00\u005a","#
          + #""unit":"u","experiment":"e","goal":"g"}"#
      ).kind == .goal)
  }

  @Test("treats null as absent, except for a configuration")
  func nulls() throws {
    let goal = try Self.goal(#""value":null,"status":null,"reason":null,"metadata":null,"id":null"#)
    #expect(goal == Goal(experiment: "e", goal: "g"))
    let removed = try Self.decode(
      #"{"type":"configurationApplied","time":0,"unit":"","system":"s","configuration":null,"changed":[]}"#
    )
    #expect(
      removed.payload
        == .configurationApplied(
          ConfigurationApplied(system: "s", changed: [], configuration: .null)))
  }

  @Test("keeps the digits of an integer used as a name")
  func numericNames() throws {
    let event = try Self.decode(
      #"{"type":"decision","id":9007199254740993,"time":0,"unit":7,"experiment":83023,"variant":-0,"choices":[1,"1"]}"#
    )
    guard case .decision(let decision) = event.payload else { return #expect(Bool(false)) }
    #expect(event.id == "9007199254740993" && event.unit == "7")
    #expect(decision.experiment == "83023" && decision.variant == "-0")
    #expect(decision.choices == ["1", "1"])
  }

  @Test("keeps integers beyond 2^53 exactly if they fit 64 bits")
  func wholeNumbers() throws {
    let metadata = try #require(
      try Self.goal(
        #""metadata":{"a":9007199254740992,"b":9007199254740993,"c":-9223372036854775808,"#
          + #""d":9223372036854775808,"e":9007199254740993.0,"f":-0,"g":1e3}"#
      ).metadata)
    #expect(
      metadata == [
        "a": .number(9_007_199_254_740_992), "b": .integer(9_007_199_254_740_993),
        "c": .integer(.min), "d": .number(9_223_372_036_854_775_808),
        "e": .number(9_007_199_254_740_992), "f": .number(-0.0), "g": .number(1000),
      ])
    #expect(try Self.goal(#""value":9007199254740993"#).value == 9_007_199_254_740_992)
  }

  @Test(
    "reads the time as text or as a number of seconds, milliseconds, microseconds or nanoseconds",
    arguments: [
      (#""2026-01-02T03:04:05.678901Z""#, 1_767_323_045_678_901),
      (#""2026-01-02 04:04:05.678901999+01:00""#, 1_767_323_045_678_901),
      ("1767323045", 1_767_323_045_000_000), ("1767323045.678901", 1_767_323_045_678_901),
      ("1767323045678", 1_767_323_045_678_000), ("1767323045678901", 1_767_323_045_678_901),
      ("1767323045678901234", 1_767_323_045_678_901), ("-1.5", -1_500_000), ("1e3", 1_000_000_000),
    ])
  func times(text: String, microseconds: Int64) throws {
    let line = #"{"type":"sessionExpired","unit":"","time":"# + text + "}"
    #expect(try Self.decode(line).time.microseconds == microseconds)
  }

  @Test("skips a line feed and any white space around the object")
  func whiteSpace() throws {
    let line = " \t{ \"type\" : \"sessionExpired\" ,\r\n\"time\":0 , \"unit\":\"\" } \r\n"
    #expect(try Self.decode(line).kind == .sessionExpired)
  }

  @Test("reuses a record without a trace of the line before, valid or not")
  func reuse() throws {
    var decoder = JSONLinesDecoder()
    var record = EventRecord()
    let broken = Examples.decision.dropLast(3)
    for line in [Examples.decision, String(broken), Examples.dataPoint, Examples.goal] {
      let bytes = Array(line.utf8)
      try? decoder.decode(bytes.span, into: &record)
    }
    #expect(try Event(record) == Self.decode(Examples.goal))
    #expect(record.features.isEmpty && record.context.isEmpty && record.choices.isEmpty)
  }

  @Test("finds a duplicate name among hundreds")
  func manyAttributes() throws {
    let names = (0..<400).map { "\"n\($0)\":1" }
    let start = Self.head + #","metadata":{"#
    let members = names.joined(separator: ",")
    #expect(try Self.decode(start + members + "}}").kind == .goal)
    for repeated in [0, 23, 24, 25, 399] {
      let error = try #require(throws: JSONLineError.self) {
        try Self.decode(start + members + ",\"n\(repeated)\":2}}")
      }
      #expect(error.offset == (start + members).utf8.count + 1)
      #expect(error.reason.contains("\"n\(repeated)\" occurs twice"))
    }
  }

  @Test("reads any event that the encoder wrote, and Foundation reads the same", arguments: 0..<8)
  func roundTrip(seed: UInt64) throws {
    var events = RandomEvents(seed: seed)
    for _ in 0..<750 {
      let event = events.event()
      let line = try event.jsonLine
      let again = try Self.decode(line)
      #expect(again == event, "seed \(seed): \(line)")
      #expect(try again.jsonLine == line, "seed \(seed)")
      let foundation = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let differences = PlainJSON(event).differences(from: foundation)
      #expect(differences.isEmpty, "seed \(seed): \(line)")
    }
  }

  @Test("reads every spelling of an event the same, as Foundation does", arguments: 100..<108)
  func spellings(seed: UInt64) throws {
    var events = RandomEvents(seed: seed)
    for _ in 0..<500 {
      var event = events.event()
      event.unknownFields = JSONMembers()
      let tree = PlainJSON(event)
      let line = tree.shuffled(using: &events.generator).spelled(using: &events.generator)
      let read = try Self.decode(line)
      #expect(read == event, "seed \(seed): \(line)")
      #expect(try read.jsonLine == event.jsonLine, "seed \(seed): \(line)")
      let foundation = try JSONSerialization.jsonObject(with: Data(line.utf8))
      #expect(tree.differences(from: foundation).isEmpty, "seed \(seed): \(line)")
    }
  }
}

/// The examples of the contract.
enum Examples {
  static let decision =
    #"{"type":"decision","id":"e1","time":"2026-01-02T03:04:05.678901Z","unit":"s-42","experiment":"checkout","point":"cart","slot":"color","variant":"red","choices":["red","blue"],"propensity":0.5,"probabilities":[0.5,0.5],"policy":"thompson","reason":"random","status":"confirmed","context":{"country":"US","age":33},"features":{"red":{"price":3.5},"blue":{"price":3.1}}}"#
  static let goal =
    #"{"type":"goal","time":"2026-01-02T03:05:00Z","unit":"s-42","experiment":"checkout","goal":"purchase","value":3.99}"#
  static let conversion =
    #"{"type":"conversion","time":"2026-01-02T03:06:00Z","unit":"u-7","goal":"83023","revenue":10.0,"negative":false,"metadata":{"plan":"pro"}}"#
  static let dataPoint =
    #"{"type":"dataPoint","time":"2026-01-02T03:06:01Z","unit":"u-7","kind":"custom","key":"1","value":"gold"}"#
  static let lifeCycle = [
    #"{"type":"sessionExpired","time":"2026-01-02T03:06:01Z","unit":"s-42","experiment":"checkout","reason":"requested"}"#,
    #"{"type":"assignmentRemoved","time":"2026-01-02T03:06:01Z","unit":"u-7","experiment":"search","reason":"conditions"}"#,
    #"{"type":"decisionConfirmed","time":"2026-01-02T03:06:01Z","unit":"s-42","experiment":"checkout","point":"cart"}"#,
    #"{"type":"configurationApplied","time":"2026-01-02T03:06:01Z","unit":"","system":"agents","experiment":"checkout","reason":"paused","changed":["state"],"configuration":{"state":"paused"}}"#,
  ]
}
