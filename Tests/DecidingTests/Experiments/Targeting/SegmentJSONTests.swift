import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Targeting: segments in configurations")
struct SegmentJSONTests {
  /// A condition of every type, as a configuration has it.
  static let conditions = [
    #"{"type":"CUSTOM_DATUM","index":"1","operator":"EXACT","value":"x","include":false}"#,
    #"{"type":"CUSTOM_DATUM","index":"plan","operator":"AMONG_VALUES","value":["a","b"]}"#,
    #"{"type":"CUSTOM_DATUM","index":"1","operator":"UNDEFINED"}"#,
    #"{"type":"CUSTOM_DATUM","index":"1","operator":"TRUE"}"#,
    #"{"type":"CUSTOM_DATUM","index":"1","operator":"FALSE"}"#,
    #"{"type":"CUSTOM_DATUM","index":"1","operator":"LOWER","value":"4"}"#,
    #"{"type":"CUSTOM_DATUM","index":"1","operator":"EQUAL","value":"4.5"}"#,
    #"{"type":"CUSTOM_DATUM","index":"1","operator":"GREATER","value":"many"}"#,
    #"{"type":"CUSTOM_DATUM","index":"1","operator":"REGULAR_EXPRESSION","value":"^a+"}"#,
    #"{"type":"CONVERSIONS","goal":"0"}"#, #"{"type":"CONVERSIONS","goal":"83023"}"#,
    #"{"type":"EXCLUSIVE_CAMPAIGN","campaign":"ANY"}"#, #"{"type":"INTEREST","index":2}"#,
    #"{"type":"VISITS","value":3,"operator":"GREATER"}"#,
    #"{"type":"SAME_DAY_VISITS","value":1,"offsetMinutes":-90,"operator":"EQUAL"}"#,
    #"{"type":"NEW_VISITORS","value":false}"#,
    #"{"type":"FIRST_VISIT","seconds":3600,"operator":"GREATER"}"#,
    #"{"type":"LAST_VISIT","seconds":0.5,"operator":"LOWER"}"#,
    #"{"type":"BROWSER","name":"firefox"}"#,
    #"{"type":"BROWSER","name":"firefox","operator":"GREATER","version":"100"}"#,
    #"{"type":"OPERATING_SYSTEM","name":"linux","operator":"EQUAL","version":"6.1"}"#,
    #"{"type":"APPLICATION_VERSION","operator":"LOWER","version":"2"}"#,
    #"{"type":"DEVICE_TYPE","device":"phone"}"#,
    #"{"type":"GEOLOCATION","country":"FR","region":"Brittany","city":"Brest"}"#,
    #"{"type":"COOKIE","name":"c","operator":"CONTAINS","value":"1"}"#,
    #"{"type":"PAGE_URL","operator":"CONTAINS","value":"shop"}"#,
    #"{"type":"PAGE_TITLE","operator":"EXACT","value":"Home"}"#,
    #"{"type":"PAGE_VIEWS","url":"/","value":2,"operator":"EQUAL"}"#,
    #"{"type":"PAGE_VIEWS","value":2,"operator":"EQUAL"}"#,
    #"{"type":"PREVIOUS_PAGE","operator":"EXACT","value":"/"}"#,
    #"{"type":"VISITOR_CODE","operator":"REGULAR_EXPRESSION","value":"\\d$"}"#,
    #"{"type":"FEATURE_FLAG","flag":"search","variation":"on","rule":"501"}"#,
    #"{"type":"EXPERIMENT","experiment":"75253","variation":"reference"}"#,
    #"{"type":"LIKELIHOOD_TO_CONVERT","goal":"4","value":0.5,"operator":"GREATER"}"#,
    #"{"type":"MOOD","mood":"good","include":false}"#,
  ]

  @Test("every condition is read and written", arguments: conditions)
  func roundTrip(condition: String) throws {
    let json = try JSONValue(parsing: #"{"groups":[{"conditions":[\#(condition)]}]}"#)
    let segment = try VisitorSegment(json)
    #expect(segment.json == json)
    #expect(try VisitorSegment(segment.json) == segment)
  }

  @Test("every type of condition is among them")
  func allTypes() {
    for type in ConditionType.allCases where type != .segment {
      #expect(Self.conditions.contains { $0.contains(#""\#(type.rawValue)""#) }, "\(type)")
    }
  }

  @Test("connectives and precedence are read and written", arguments: 0..<10 as Range<UInt64>)
  func expressions(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let groups = (0..<generator.index(4)).map { _ in
        let tests = (0..<generator.index(4)).map {
          SegmentCondition(.interest($0), include: $0 % 2 == 0)
        }
        let joins = generator.chance(0.5) ? [] : tests.dropFirst().map { _ in SegmentConnective.or }
        return VisitorSegment.Group(tests, joinedBy: joins)
      }
      let segment = VisitorSegment(
        groups, joinedBy: groups.dropFirst().map { _ in generator.pick([.and, .or], or: .and) },
        precedence: generator.pick(SegmentPrecedence.allCases, or: .usual))
      #expect(try VisitorSegment(segment.json) == segment, "seed \(seed)")
    }
  }

  @Test("numbers and truth values are compared as they are written")
  func scalars() throws {
    let segment = try VisitorSegment(
      [
        "groups": [
          [
            "conditions": [
              [
                "type": "CUSTOM_DATUM", "index": 1, "operator": "AMONG_VALUES",
                "value": [4, true, "x"],
              ]
            ]
          ]
        ]
      ])
    for value in ["4", "true", "x"] {
      #expect(segment.isMet(by: facts([CustomData(index: 1, value: value)])))
    }
  }

  @Test(
    "what is wrong is refused with its path",
    arguments: [
      (#"5"#, "", "must be an object, not a number"),
      (#"{"groups":5}"#, "groups", "must be a list"),
      (#"{"groups":[{"conditions":[{}]}]}"#, "groups[0].conditions[0].type", "is missing"),
      (#"{"precedence":"odd"}"#, "precedence", #"use one of "usual", "leftToRight""#),
      (
        #"{"groups":[{},{}],"connectives":[]}"#, "connectives",
        "has 0 connectives for 2 groups"
      ),
      (#"{"groups":[{},{}],"connectives":["XOR"]}"#, "connectives[0]", #"use one of "AND", "OR""#),
      (
        #"{"groups":[{"conditions":[{"type":"CUSTOM_DATUM","index":1,"operator":"LIKE"}]}]}"#,
        "groups[0].conditions[0].operator", #"is "LIKE"; use one of"#
      ),
      (
        #"{"groups":[{"conditions":[{"type":"CUSTOM_DATUM","operator":"TRUE"}]}]}"#,
        "groups[0].conditions[0].name", "is missing"
      ),
      (
        #"{"groups":[{"conditions":[{"type":"CUSTOM_DATUM","index":1,"operator":"EXACT","value":[]}]}]}"#,
        "groups[0].conditions[0].value", "must be a text or a number"
      ),
      (
        #"{"groups":[{"conditions":[{"type":"SAME_DAY_VISITS","offsetMinutes":-9223372036854775808}]}]}"#,
        "groups[0].conditions[0].offsetMinutes", "give minutes in"
      ),
      (
        #"{"groups":[{"conditions":[{"type":"SEGMENT","segment":"vip"}]}]}"#,
        "groups[0].conditions[0].segment", "add it to segments"
      ),
      (
        #"{"groups":[{"conditions":[{"type":"INTEREST","index":1,"include":"no"}]}]}"#,
        "groups[0].conditions[0].include", "must be true or false"
      ),
    ])
  func refusals(text: String, path: String, reason: String) throws {
    let json = try JSONValue(parsing: text)
    let error = #expect(throws: ExperimentError.self) { try VisitorSegment(json) }
    guard case .invalidConfiguration(let where_, let why)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(where_ == path)
    #expect(why.contains(reason), "\(why)")
  }

  private func parts(_ members: JSONObject, targeting: JSONValue? = nil) throws
    -> ConfigurationParts
  {
    try ConfigurationParts(
      ExperimentConfiguration(
        siteCode: "s", experiments: [Experiment("1", variations: [], targeting: targeting)],
        other: members))
  }

  private static func segment(_ id: String, asking others: [String]) -> JSONValue {
    let conditions = others.map { JSONValue.object(["type": "SEGMENT", "segment": .string($0)]) }
    return ["id": .string(id), "groups": [["conditions": .array(conditions)]]]
  }

  @Test("segments are named by id, also by one another")
  func namedSegments() throws {
    let interested: JSONValue = [
      "id": 7, "groups": [["conditions": [["type": "INTEREST", "index": 1]]]],
    ]
    let both: JSONValue = Self.segment("both", asking: ["7", "7"])
    let parts = try parts(["segments": [both, interested]], targeting: "both")
    let experiment = Experiment("1", variations: [])
    #expect(parts.isTargeted(experiment, facts([VisitorInterest(1)])))
    #expect(!parts.isTargeted(experiment, facts()))
    #expect(parts.isTargeted(Experiment("2", variations: []), facts()))
  }

  @Test("segments that refer to themselves, are too large or nested too deep are rejected")
  func oddSegments() {
    #expect(throws: ExperimentError.self) {
      try parts(["segments": [Self.segment("a", asking: ["b"]), Self.segment("b", asking: ["a"])]])
    }
    #expect(throws: ExperimentError.self) {
      try parts(["segments": [Self.segment("a", asking: []), Self.segment("a", asking: [])]])
    }
    let row = (0..<40).map { Self.segment("\($0)", asking: $0 == 39 ? [] : ["\($0 + 1)"]) }
    #expect(throws: ExperimentError.self) { try parts(["segments": .array(row)]) }
    // Each asks twice for the next: read once, but evaluated 2^14 times.
    let doubling = (0..<15).map {
      Self.segment("\($0)", asking: $0 == 14 ? [] : ["\($0 + 1)", "\($0 + 1)"])
    }
    #expect(throws: ExperimentError.self) { try parts(["segments": .array(doubling)]) }
    #expect(throws: ExperimentError.self) { try parts([:], targeting: "nobody") }
  }

  @Test("warnings name the place")
  func warnings() throws {
    let conditions: JSONValue = [
      ["type": "MOOD"],
      ["type": "VISITOR_CODE", "operator": "REGULAR_EXPRESSION", "value": "("],
    ]
    let parts = try parts([:], targeting: ["groups": [["conditions": conditions]]])
    #expect(parts.warnings.count == 2)
    #expect(parts.warnings.allSatisfy { $0.hasPrefix("experiments[0].targeting: ") })
  }
}
