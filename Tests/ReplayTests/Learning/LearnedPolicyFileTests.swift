import Bandits
import Specifications
import TestSupport
import Testing

@testable import OffPolicy
@testable import Replay

/// A small learned policy.
enum SmallPolicy {
  /// Learns from some random decisions over `variants`, with a country.
  static func learned(_ text: String, _ features: String, variants: [String] = ["A", "B"]) throws
    -> LearnedPolicy
  {
    let specification = try FeatureSpecification(parsing: features)
    var random = SeededGenerator(seed: 3)
    let rows = (0..<200).map { _ in
      (country: ["de", "fr"][random.index(2)], chosen: random.index(variants.count))
    }
    func cells(_ country: String, _ variant: Int, _ cell: (FeatureValue?, Int) -> FeatureCell)
      -> [FeatureCell]
    {
      specification.sources.enumerated().map { index, source in
        cell(.text(source == .variant ? variants[variant] : country), index)
      }
    }
    var survey = FeatureSurvey(specification)
    for row in rows { survey.add(cells(row.country, row.chosen) { survey.cell($0, of: $1) }) }
    let map = try FeatureMap(survey)
    let problem = PolicyProblem(slots: ["s \"1\""], variants: variants, map: map)
    return try PolicyLearnerCatalog.standard.named(text).learn(problem) { body in
      for row in rows {
        var decision = LearningDecision()
        decision.choices = Array(variants.indices)
        (decision.chosen, decision.propensity) = (row.chosen, 1 / Double(variants.count))
        decision.reward = (row.country == "de") == (row.chosen == 0) ? 1 : 1 / 3
        decision.features = variants.indices.map { variant in
          var vector = FeatureVector()
          map.write(cells(row.country, variant) { map.cell($0, of: $1) }, into: &vector)
          return vector
        }
        body(decision)
      }
    }
  }
}

@Suite("Files of learned policies")
struct LearnedPolicyFileTests {
  private static let kinds = [
    ("tabular:lambda=2", ""), ("tree:min-decisions=5", "one-hot(country)"),
    ("softmax-linear:passes=5", "cross(country,variant)"),
  ]

  @Test("what is read is what was written, and reads as JSON of short lines", arguments: kinds)
  func roundTrip(learner: String, features: String) throws {
    let policy = try SmallPolicy.learned(learner, features, variants: ["A", "é\n\"", "C"])
    let notes: [JSONTree.Member] = [
      .init("experiment", .text("e")), .init("positions", .list([.number(0), .number(12)])),
    ]
    for notes in [[], notes] {
      let file = LearnedPolicyFile(policy, notes: notes)
      let read = try LearnedPolicyFile(parsing: file.text, name: "p.json")
      #expect(read.policy == policy)
      #expect(read.notes.sorted { $0.name < $1.name } == notes)
      #expect(read.policy.tree == policy.tree)
      #expect(LearnedPolicyFile(read.policy, notes: notes).text == file.text)
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.utf8.count <= 100 } && lines.last?.isEmpty == true)
    }
    let text = LearnedPolicyFile(policy, notes: notes).text
    #expect(text.hasPrefix("{\n  \"version\": 1,\n  \"class\": \""))
    #expect(text.contains("  \"learned-from\": {\"experiment\": \"e\", \"positions\": [0, 12]},\n"))
  }

  @Test("a table reads as one would write it")
  func readable() throws {
    let policy = try SmallPolicy.learned("tabular", "")
    #expect(
      LearnedPolicyFile(policy).text == """
        {
          "version": 1,
          "class": "tabular",
          "learner": "tabular",
          "objective": "ips",
          "slots": ["s \\"1\\""],
          "variants": ["A", "B"],
          "features": {"specification": "", "terms": []},
          "table": [{"slot": "s \\"1\\"", "probabilities": [{"variant": "A", "probability": 1}]}]
        }

        """)
  }

  @Test(
    "what is no policy is refused, with the place",
    arguments: [
      ("", "p.json: line 1"), ("{\"version\":1", "p.json: line 1"), ("null", "p.json: "),
      ("[]", "p.json is not a learned policy: \"version\""),
      ("{\"version\":2}", "later version"), ("{\"version\":null}", "p.json: "),
      ("{\"version\":1,\"learner\":\"tree\",\"objective\":\"best\"}", "objective \"best\""),
    ])
  func refused(text: String, reason: String) {
    let error = #expect(throws: SpecificationError.self) {
      try LearnedPolicyFile(parsing: text, name: "p.json")
    }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }
}
