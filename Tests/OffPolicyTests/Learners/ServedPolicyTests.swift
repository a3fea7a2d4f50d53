import Foundation
import Specifications
import TestSupport
import Testing

@testable import Bandits
@testable import OffPolicy

@Suite("Learned policies that are asked by names")
struct ServedPolicyTests {
  private func policy(_ text: String, _ features: String) throws -> LearnedPolicy {
    let log = ContextualLog(800, seed: 9)
    let problem = try log.problem(features)
    return try PolicyLearnerCatalog.standard.named(text).learn(problem) { body in
      log.decisions(problem.map).forEach { body($0) }
    }
  }

  @Test(
    "the probabilities are those of the policy, by index and features",
    arguments: [
      ("tabular:lambda=1", ""), ("tree:depth=2", "one-hot(country)+number(age)"),
      (
        "softmax-linear:passes=8", "cross(country,variant)+cross(number(age),variant)+one-hot(slot)"
      ),
    ])
  func probabilities(learner: String, features: String) throws {
    let policy = try policy(learner, features)
    let served = ServedPolicy(policy)
    #expect(served.attributes.map(\.description) == (features.isEmpty ? [] : ["country", "age"]))
    var random = SeededGenerator(seed: 1)
    for _ in 0..<50 {
      let row = ContextualLog.Row(
        country: random.index(3), age: Double(random.index(80)), chosen: 0, propensity: 1, reward: 0
      )
      let choices = ContextualLog.variants.shuffled(using: &random).prefix(2 + random.index(2))
      let places = choices.map { ContextualLog.variants.firstIndex(of: $0) ?? -1 }
      let vectors = ContextualLog.features(row, policy.problem.map)
      var expected: [Double] = []
      policy.probabilities(
        slot: 0, choices: places,
        policy.problem.map.specification.isShared ? vectors : places.map { vectors[$0] },
        into: &expected)
      let found = served.probabilities(slot: "s", choices: Array(choices)) { source, _ in
        source == .context("country")
          ? .text(ContextualLog.countries[row.country]) : .number(row.age)
      }
      #expect(found == expected)
    }
  }

  @Test("the name follows from the content alone")
  func names() throws {
    let (first, second) = (try policy("tabular", ""), try policy("tabular:lambda=1", ""))
    #expect(ServedPolicy(first).name == ServedPolicy(try LearnedPolicy(first.tree)).name)
    #expect(ServedPolicy(first).name != ServedPolicy(second).name)
    #expect(ServedPolicy(first).name.hasPrefix("learned:check="))
    #expect(ServedPolicy(first).name.count == "learned:check=".count + 16)
  }

  @Test("a coder of any format keeps a policy")
  func coded() throws {
    for text in ["tabular:lambda=1", "tree:depth=3", "softmax-linear:passes=4"] {
      let features = text.hasPrefix("soft") ? "cross(country,variant)" : "one-hot(country)"
      let policy = try policy(text, features)
      let data = try JSONEncoder().encode(policy.tree)
      #expect(try LearnedPolicy(JSONDecoder().decode(JSONTree.self, from: data)) == policy)
    }
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    for text in ["null", "[1,null]", deep] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
      }
    }
    let flag = try JSONDecoder().decode(JSONTree.self, from: Data("[true,1,\"x\"]".utf8))
    #expect(flag == .list([.flag(true), .number(1), .text("x")]))
  }
}
