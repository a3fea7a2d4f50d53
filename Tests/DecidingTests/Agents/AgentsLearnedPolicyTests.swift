import Bandits
import DecidingCore
import Events
import OffPolicy
import Specifications
import TestSupport
import Testing

@testable import DecidingAgents

/// A policy that was learned from a country, an age, a segment, a feature and a brand: softmax over all of them.
private enum LearnedExample {
  private static let result = Result { try learned() }

  static func policy() throws -> LearnedPolicy { try result.get() }

  private static let features =
    "cross(country,variant)+cross(number(age),variant)+cross(segment,variant)"
    + "+cross(number(feature:vip),variant)+one-hot(features.brand)+one-hot(slot)"

  private static func value(
    _ source: FeatureSource, _ row: (country: String, age: Double, chosen: Int), _ variant: Int
  ) -> FeatureValue? {
    switch source.description {
    case "country": .text(row.country)
    case "age": .number(row.age)
    case "segment": row.age > 3 ? .text("new") : nil
    case "feature:vip": .number(row.age / 10)
    case "features.brand": .text(variant == 0 ? "acme" : "other")
    case "variant": .text(["a", "b"][variant])
    default: .text("hero")
    }
  }

  private static func learned() throws -> LearnedPolicy {
    let specification = try FeatureSpecification(parsing: features)
    var random = SeededGenerator(seed: 5)
    let rows = (0..<300).map { _ in
      (
        country: ["de", "fr"][random.index(2)], age: Double(random.index(9)),
        chosen: random.index(2)
      )
    }
    var survey = FeatureSurvey(specification)
    for row in rows {
      survey.add(
        specification.sources.enumerated().map {
          survey.cell(value($1, row, row.chosen), of: $0)
        })
    }
    let map = try FeatureMap(survey)
    let problem = PolicyProblem(slots: ["hero"], variants: ["a", "b"], map: map)
    let learner = try PolicyLearnerCatalog.standard.named("softmax-linear:passes=6")
    return try learner.learn(problem) { body in
      for row in rows {
        var decision = LearningDecision()
        (decision.choices, decision.chosen) = ([0, 1], row.chosen)
        decision.propensity = 0.5
        decision.reward = Double(row.chosen) * row.age - (row.country == "de" ? 4 : 2)
        decision.features = (0..<2).map { variant in
          var vector = FeatureVector()
          map.write(
            specification.sources.enumerated().map { map.cell(value($1, row, variant), of: $0) },
            into: &vector)
          return vector
        }
        body(decision)
      }
    }
  }
}

@Suite("Agents that choose by a learned policy")
struct AgentsLearnedPolicyTests {
  private func definition(controlShare: Double = 0) throws -> AgentDefinition {
    AgentDefinition(
      "x",
      points: [
        AgentPoint(slots: [
          AgentSlot(
            "hero",
            choices: [
              AgentOption("a", meta: ["brand": "acme", "size": ["s"]]),
              AgentOption("b", meta: ["brand": "other"]),
            ])
        ])
      ], learnedPolicy: try LearnedExample.policy(), controlShare: controlShare)
  }

  private func request(_ number: Int, _ inputs: JSONObject) -> DecisionRequest {
    DecisionRequest(
      agent: "x", session: "s-\(number)",
      slots: [SlotChoices(slot: "hero", choices: ["a", "b"])],
      segment: number % 2 == 0 ? "new" : nil,
      features: number % 3 == 0 ? [AgentFeature("vip", weight: 0.5)] : [], inputs: inputs)
  }

  /// Whether probabilities are equal but for the rounding of their division by their sum.
  private func isNear(_ found: [Double]?, _ expected: [Double]) -> Bool {
    guard let found, found.count == expected.count else { return false }
    return zip(found, expected).allSatisfy { abs($0 - $1) <= 1e-15 }
  }

  @Test("the logged propensities are the probabilities of the policy, whose inputs are logged too")
  func propensities() throws {
    let host = try AgentsHost(try definition())
    let served = try ServedPolicy(LearnedExample.policy())
    var counts: [Double] = []
    for number in 0..<60 {
      let country = ["de", "fr", "us"][number % 3]
      let age: JSONValue = number % 2 == 0 ? .integer(Int64(number % 9)) : .string("\(number % 9)")
      let reply = try host.agents.decide(
        request(number, ["country": .string(country), "age": age, "other": "ignored"]))
      let expected = served.probabilities(slot: "hero", choices: ["a", "b"]) { source, variant in
        switch source.description {
        case "country": .text(country)
        case "age": .number(Double(number % 9))
        case "segment": number % 2 == 0 ? .text("new") : nil
        case "feature:vip": number % 3 == 0 ? .number(0.5) : nil
        default: .text(variant == 0 ? "acme" : "other")
        }
      }
      let found = try #require(reply.decisions.first)
      #expect(isNear(found.probabilities, expected), "\(number)")
      #expect(found.reason == .adaptive)
      #expect(found.policyName == served.name)
      let logged = try #require(host.decisions.last)
      #expect(logged.probabilities == found.probabilities)
      #expect(logged.propensity == found.probabilities?[logged.variant == "a" ? 0 : 1])
      #expect(logged.policy?.rawValue == served.name)
      #expect(logged.context?["country"] == .text(country))
      #expect(logged.context?["age"] == .number(Double(number % 9)))
      #expect(logged.context?["other"] == .text("ignored"))
      #expect(logged.features?["a"]?.entries.map(\.name) == ["brand"])
      counts.append((found.code == "a" ? 1 : 0) - expected[0])
    }
    // The draws have these probabilities: the sum of 60 bounded differences is small.
    #expect(abs(counts.reduce(0, +)) < 4 * 15.0.squareRoot())
    try host.expectRebuilt()
  }

  @Test("an agent rebuilt from its log alone decides the same, as the log holds the policy")
  func rebuilt() throws {
    let host = try AgentsHost(try definition())
    _ = try host.agents.decide(request(0, ["country": "de", "age": 5]))
    let again = host.rebuilt()
    #expect(again.definition(of: "x") == (try definition()))
    let inputs: JSONObject = ["country": "fr", "age": 7]
    let replies = try [host.agents, again].map { agents in
      try agents.preview(request(2, inputs)).decisions[0].probabilities
    }
    #expect(replies[0] == replies[1] && replies[0] != nil)
    let snapshot = try Agents(
      owner: "owner-1", surroundings: host.world.surroundings, restoring: host.agents.snapshot())
    #expect(snapshot.definition(of: "x")?.learnedPolicy == (try LearnedExample.policy()))
  }

  @Test("the same definition is not logged again, and another policy is")
  func defined() throws {
    let host = try AgentsHost(try definition())
    let count = host.world.events.count
    try host.agents.define(try definition())
    #expect(host.world.events.count == count)
    var other = try definition()
    other.learnedPolicy = nil
    try host.agents.define(other)
    #expect(host.world.events.count == count + 1)
    #expect(try host.decide(["a", "b"], session: "s-9").reason == .random)
  }

  @Test("the control share draws by weights, and choices that are not permitted have none")
  func shares() throws {
    let host = try AgentsHost(try definition(controlShare: 0.5))
    let inputs: JSONObject = ["country": "de", "age": 1]
    let served = try ServedPolicy(LearnedExample.policy())
    var request = request(1, inputs)
    let reply = try host.agents.decide(request)
    let learned = served.probabilities(slot: "hero", choices: ["a", "b"]) { source, variant in
      switch source.description {
      case "country": .text("de")
      case "age": .number(1)
      case "segment", "feature:vip": nil
      default: .text(variant == 0 ? "acme" : "other")
      }
    }
    #expect(isNear(reply.decisions[0].probabilities, learned.map { 0.5 * 0.5 + 0.5 * $0 }))
    request.session = "s-8"
    request.allowed = ["b"]
    let only = try host.agents.decide(request)
    #expect(only.decisions[0].probabilities == [0, 1])
    try host.expectRebuilt()
  }

  @Test("a definition has a policy that learns or one that was learned, and reads as JSON")
  func refused() throws {
    var definition = try definition()
    let read = try AgentDefinition(json: JSONValue(parsing: definition.json.description))
    #expect(read == definition)
    definition.policy = "thompson"
    let error = #expect(throws: AgentError.self) { try definition.validate() }
    #expect(error?.description.contains("learnedPolicy") == true)
    for (text, reason) in [
      ("7", "version"), ("{\"version\":[null]}", "cannot be read"), ("{\"version\":3}", "later"),
    ] {
      let json = try JSONValue(parsing: "{\"agent\":\"x\",\"learnedPolicy\":\(text)}")
      let error = #expect(throws: AgentError.self) { try AgentDefinition(json: json) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
  }

  @Test("learned:path=... as the policy of a definition is told that the key is learnedPolicy")
  func wrongKey() throws {
    for text in ["learned:path=policy.json", "learned"] {
      let json = try JSONValue(parsing: "{\"agent\":\"x\",\"policy\":\"\(text)\"}")
      let error = #expect(throws: AgentError.self) { try AgentDefinition(json: json) }
      #expect(
        error?.description.contains("as learnedPolicy") == true, "\(error?.description ?? "")")
    }
  }
}
