import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingExperiments

@Suite("Experiments: targeting vectors")
struct TargetingVectorTests {
  struct Row: CustomStringConvertible, Sendable {
    let id: String
    let targeting: String
    let data: [any VisitorData]
    let isMet: Bool

    init(_ id: String, _ targeting: String, _ data: [any VisitorData], _ isMet: Bool) {
      (self.id, self.targeting, self.data, self.isMet) = (id, targeting, data, isMet)
    }

    /// One group of one condition.
    init(_ id: String, one: String, _ data: [any VisitorData], _ isMet: Bool) {
      self.init(id, #"{"groups":[{"conditions":[\#(one)]}]}"#, data, isMet)
    }

    /// A group such as `T OR F`, also read from left to right.
    init(_ id: String, expression: String, precedence: String) {
      let words = expression.split(separator: " ")
      let conditions = words.filter { $0.count == 1 }
        .map { #"{"type":"VISITS","operator":"GREATER","value":\#($0 == "T" ? 0 : 99)}"# }
      let joins = words.filter { $0.count > 1 }.map { "\"\($0)\"" }
      let group =
        #"{"conditions":[\#(conditions.joined(separator: ","))],"connectives":[\#(joins.joined(separator: ","))]}"#
      self.init(id, #"{"precedence":"\#(precedence)","groups":[\#(group)]}"#, [], true)
    }

    var description: String { "\(id) \(targeting) -> \(isMet)" }
  }

  static let expressions = [
    ("KA-V11", "T OR F AND F"), ("KA-V11", "F OR T AND T"), ("KA-V11", "F AND F OR T"),
    ("KA-V13", "F AND F OR T AND T"), ("KA-V13", "T OR F AND F AND F"),
  ].flatMap { id, text in
    ["usual", "leftToRight"].map { Row(id, expression: text, precedence: $0) }
  }

  static func custom(_ test: String) -> String { #"{"type":"CUSTOM_DATUM","index":1,\#(test)}"# }

  static let others: [Row] =
    [
      Row("KA-V14", one: #"{"type":"MOOD"}"#, [], true),
      Row("KA-V14", one: #"{"type":"MOOD","include":false}"#, [], true),
      Row("KA-V14", #"{"groups":[{"conditions":[]}]}"#, [], true), Row("KA-V14", "{}", [], true),
      Row("KA-V14", "null", [], true),
      Row("KA-V15", one: custom(#""operator":"UNDEFINED""#), [], true),
      Row("KA-V15", one: custom(#""operator":"EXACT","value":"x""#), [], false),
      Row(
        "KA-V16", one: custom(#""operator":"GREATER","value":4"#),
        [CustomData(index: 1, values: ["5", "abc"])], true),
      Row(
        "KA-V16", one: custom(#""operator":"EXACT","value":"x""#),
        [CustomData(index: 1, value: "x")],
        true),
      Row(
        "KA-V16", one: custom(#""operator":"AMONG_VALUES","value":["a","b"]"#),
        [CustomData(index: 1, value: "b")], true),
      Row(
        "KA-V16", one: custom(#""operator":"TRUE""#), [CustomData(index: 1, value: "true")], true),
      Row(
        "KA-V17", one: #"{"type":"APPLICATION_VERSION","operator":"EQUAL","version":"1.2.0"}"#,
        [ApplicationVersion("1.2")], true),
      Row(
        "KA-V17", one: #"{"type":"APPLICATION_VERSION","operator":"GREATER","version":"1.9.9"}"#,
        [ApplicationVersion("1.10.0")], true),
      Row("KA-V18", one: #"{"type":"CONVERSIONS","goal":0}"#, [Conversion(goalID: "4")], true),
      Row("KA-V39", one: #"{"type":"CONVERSIONS","goal":5}"#, [Conversion(goalID: "4")], false),
    ]

  @Test(
    "met or not: while the data wait, when they are sent, and after a replay",
    arguments: expressions + others)
  func vectors(row: Row) async throws {
    let targeting = try JSONValue(parsing: row.targeting)
    let world = try ExperimentsWorld(
      ExperimentConfiguration.one([148382: 1.0], targeting: targeting))
    func isMet(_ client: ExperimentClient) throws -> Bool {
      do {
        return try client.triggerExperiment("visitor-1", 75253, track: false) == 148382
      } catch .notTargeted(75253) {
        return false
      }
    }
    try world.client.addData(userID: "visitor-1", row.data)
    #expect(try isMet(world.client) == row.isMet, "waiting")
    try await world.client.flush(userID: "visitor-1")
    #expect(try isMet(world.client) == row.isMet, "sent")
    try world.expectReplays()
    #expect(try isMet(world.rebuilt().client) == row.isMet, "replayed")
  }
}
