import DecidingCore
import Events
import TestSupport
import Testing

@testable import DecidingAgents

@Suite("Rules and their conditions")
struct AgentsRulesTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let source: String
    let comparison: AgentCondition.Operator
    let operand: JSONValue
    let holds: Bool
    init(
      _ source: String, _ comparison: AgentCondition.Operator, _ operand: JSONValue, _ holds: Bool
    ) {
      (self.source, self.comparison, self.operand, self.holds) = (
        source, comparison, operand, holds
      )
    }
    var testDescription: String { "\(source) \(comparison) \(operand)" }
  }

  @Test(
    "CO-53: a condition holds or does not",
    arguments: [
      Case("session", .eq, "s-1", true), Case("session", .eq, "s-2", false),
      Case("point", .eq, "cart", true), Case("point", .ne, "cart", false),
      Case("segment", .eq, "north", true), Case("segment", .in, ["south", "north"], true),
      Case("segment", .in, ["south"], false), Case("segment", .in, [], false),
      Case("feature:fast", .gt, 0.3, true), Case("feature:fast", .gt, 0.33, false),
      Case("feature:fast", .ge, 0.33, true), Case("feature:slow", .lt, 1, false),
      Case("input:age", .lt, 34, true), Case("input:age", .le, 33, true),
      Case("input:age", .lt, 33, false), Case("input:age", .eq, "33", true),
      Case("input:age", .eq, 33.0, true), Case("input:text", .lt, 34, false),
      Case("input:text", .ge, 0, false), Case("input:text", .eq, "Hello", true),
      Case("input:text", .eq, "hello", false), Case("input:text", .contains, "ell", true),
      Case("input:text", .contains, "", true), Case("input:text", .starts, "He", true),
      Case("input:text", .starts, "lo", false), Case("input:text", .ends, "lo", true),
      Case("input:text", .ends, "Hello!", false), Case("input:text", .matches, "l+o$", true),
      Case("input:text", .matches, "^l", false), Case("input:age", .matches, "3", true),
      Case("input:list", .contains, 2, true), Case("input:list", .contains, "2", true),
      Case("input:list", .contains, 3, false), Case("input:flag", .eq, true, true),
      Case("input:flag", .eq, "true", true), Case("input:flag", .eq, 1, false),
      Case("input:none", .eq, .null, true), Case("input:none", .present, .null, true),
      Case("input:gone", .absent, .null, true), Case("input:gone", .present, .null, false),
      Case("input:gone", .ne, "x", false), Case("input:gone", .eq, .null, false),
      Case("trait:cust/F", .eq, "1", true), Case("trait:cust/F", .eq, "2", true),
      Case("trait:cust/F", .ne, "1", false), Case("trait:cust/F", .ne, "3", true),
      Case("trait:cust/F", .gt, 1.5, true), Case("trait:cust/F", .gt, 2, false),
      Case("trait:other/F", .present, .null, false), Case("trait:cust/G", .absent, .null, true),
    ])
  private func condition(_ condition: Case) throws {
    let source = try #require(AgentCondition.Source(condition.source))
    #expect(source.description == condition.source)
    let rule = AgentRule(
      "r", when: [AgentCondition(source, condition.comparison, condition.operand)],
      then: .fixed("b", slot: nil))
    let host = try AgentsHost(AgentDefinition("x", rules: [rule]))
    let decision = try #require(try host.decide(Self.request).decisions.first)
    #expect((decision.reason == .fixed) == condition.holds)
  }

  private static var request: DecisionRequest {
    var request = DecisionRequest.of(point: "cart", segment: "north")
    request.features = [AgentFeature("fast", weight: 0.33)]
    request.inputs = ["age": 33, "text": "Hello", "list": [1, 2], "flag": true, "none": .null]
    request.traits = [AgentTrait("F", "1"), AgentTrait("F", "2")]
    return request
  }

  @Test("CO-53: all conditions or any; inactive rules and those of other agents do nothing")
  func joins() throws {
    let yes = AgentCondition(.point, .present)
    let no = AgentCondition(.point, .absent)
    for (rule, isFixed) in [
      (AgentRule("r", when: [yes, no], then: .fixed("b", slot: nil)), false),
      (AgentRule("r", when: [yes, yes], then: .fixed("b", slot: nil)), true),
      (AgentRule("r", when: [no, yes], join: .any, then: .fixed("b", slot: nil)), true),
      (AgentRule("r", when: [no, no], join: .any, then: .fixed("b", slot: nil)), false),
      (AgentRule("r", isActive: false, then: .fixed("b", slot: nil)), false),
      (AgentRule("r", agents: ["y"], then: .fixed("b", slot: nil)), false),
      (AgentRule("r", agents: ["y", "x"], then: .fixed("b", slot: nil)), true),
    ] {
      let host = try AgentsHost(AgentDefinition("x", rules: [rule]))
      #expect((try host.decide().reason == .fixed) == isFixed, "\(rule)")
      let shared = try AgentsHost(settings: AgentSettings(rules: [rule]))
      #expect((try shared.decide().reason == .fixed) == isFixed, "\(rule)")
    }
  }

  @Test(
    "CO-53: rules apply in order, later ones see earlier ones, and the first that fixes a slot wins"
  )
  func order() throws {
    let host = try AgentsHost(
      AgentDefinition(
        "x",
        rules: [
          AgentRule("1", then: .segment("south")),
          AgentRule("2", then: .feature(AgentFeature("warm", weight: 0.5))),
          AgentRule(
            "3",
            when: [
              AgentCondition(.segment, .eq, "south"), AgentCondition(.feature("warm"), .eq, 0.5),
            ], then: .fixed("b", slot: "u")),
          AgentRule("4", then: .fixed("c", slot: nil)),
        ]), settings: AgentSettings(rules: [AgentRule("0", then: .segment("north"))]))
    let reply = try host.decide(
      DecisionRequest(
        agent: "x", session: "s-1",
        slots: [
          SlotChoices(slot: "u", choices: ["a", "b", "c"]),
          SlotChoices(slot: "v", choices: ["a", "b", "c"]), SlotChoices(slot: "w", choices: ["a"]),
        ], segment: "west"))
    #expect(reply.decisions.map(\.code) == ["b", "c", "a"])
    #expect(reply.decisions.map(\.reason) == [.fixed, .fixed, .random])
    #expect(reply.segment == "south" && reply.features == [AgentFeature("warm", weight: 0.5)])
    #expect(host.decisions.first?.context == ["segment": "south", "feature:warm": 0.5])
    #expect(host.decisions.first?.propensity == 1)
  }

  @Test("CO-53: permitted sets of rules and of the caller are intersected")
  func permitted() throws {
    let host = try AgentsHost(
      AgentDefinition(
        "x",
        rules: [
          AgentRule("1", then: .permitted(["a", "b"], slot: nil)),
          AgentRule("2", then: .permitted(["b", "c"], slot: SlotID.standard.rawValue)),
          AgentRule("3", then: .permitted(["a"], slot: "other")),
        ]))
    let decision = try host.decide(["a", "b", "c"])
    #expect(decision.code == "b" && decision.propensity == 1 && decision.reason == .random)
    #expect(
      try host.decide(["a", "b", "c"], session: "s-2", excluding: ["b"]).reason
        == .noPermittedChoice)
  }

  @Test("a rule cannot fix what the slot lacks or the caller does not permit")
  func unfixable() throws {
    let slot = SlotID.standard.rawValue
    let host = try AgentsHost(
      AgentDefinition("x", rules: [AgentRule("r", then: .fixed("c", slot: slot))]))
    let lacking = try host.decide(.of())
    #expect(lacking.policy == .random && lacking.warnings.count == 1)
    let forbidden = try host.decide(.of(["a", "c"], session: "s-2", excluding: ["c"]))
    #expect(forbidden.decisions.first?.code == "a" && forbidden.warnings.count == 1)
  }

  @Test("CO-62: a fixed choice becomes the session's, also a provisional one; it is learned from")
  func fixed() throws {
    let host = try AgentsHost(
      AgentDefinition("x", rules: [AgentRule("r", then: .fixed("b", slot: nil))]))
    #expect(try host.decide(status: .provisional).status == .provisional)
    let confirmed = try host.decide()
    #expect(
      confirmed.reason == .sticky && confirmed.status == .confirmed && confirmed.propensity == 1)
    try host.agents.define(AgentDefinition("x"))
    #expect(try host.decide().code == "b")
    #expect(host.agents.learned(by: "x").keys.sorted() == ["b"])
  }

  @Test("an agent that is not sticky records a fixed choice every time")
  func fixedNotSticky() throws {
    let host = try AgentsHost(
      AgentDefinition("x", isSticky: false, rules: [AgentRule("r", then: .fixed("b", slot: nil))]))
    for _ in 0..<3 { #expect(try host.decide().reason == .fixed) }
    #expect(host.decisions.count == 3)
  }

  @Test("long texts of visitors are not matched")
  func longText() throws {
    let rule = AgentRule(
      "r", when: [AgentCondition(.input("t"), .matches, "(a+)+$")], then: .fixed("b", slot: nil))
    let host = try AgentsHost(AgentDefinition("x", rules: [rule]))
    var request = DecisionRequest.of()
    request.inputs = ["t": .string(String(repeating: "a", count: 1_025))]
    #expect(try host.decide(request).policy == .random)
  }
}
