import Events
import Specifications
import Statistics
import Testing

@testable import OffPolicy
@testable import Replay

@Suite("Target policies")
struct TargetPolicyTests {
  private func policy(
    _ text: String, _ files: [String: String] = [:]
  ) throws -> any TargetPolicy {
    try TargetPolicyCatalog.standard.named(text) { (path) throws(SpecificationError) in
      guard let text = files[path] else { throw SpecificationError("\(path) is not there") }
      return text
    }
  }

  private func probabilities(
    _ text: String, _ choices: [String], _ attributes: [AttributeValue?] = [],
    point: String = "", slot: String = "", files: [String: String] = [:]
  ) throws -> [Double]? {
    try policy(text, files).probabilities(
      in: TargetSituation(point: point, slot: slot, choices: choices, attributes: attributes))
  }

  @Test("uniform gives every choice the same")
  func uniform() throws {
    #expect(try probabilities("uniform", ["a", "b", "c", "d"]) == [0.25, 0.25, 0.25, 0.25])
  }

  @Test("fixed gives everything to its variant, or nothing where it is not a choice")
  func fixed() throws {
    #expect(try probabilities("fixed:variant=b", ["a", "b"]) == [0, 1])
    #expect(try probabilities("fixed:variant=z", ["a", "b"]) == [0, 0])
    #expect(throws: SpecificationError.self) { try policy("fixed") }
  }

  @Test("weights are proportions among the choices")
  func weights() throws {
    #expect(try probabilities("weights:A=0.75;B=0.25", ["B", "A"]) == [0.25, 0.75])
    #expect(try probabilities("weights:A=3;B=1;C=4", ["A", "B"]) == [0.75, 0.25])
    #expect(try probabilities("weights:A=1", ["B", "C"]) == [0, 0])
    #expect(try policy("weights:B=1;A=3").specification.description == "weights:A=3;B=1")
    for wrong in [
      "weights", "weights:A=0", "weights:A=-1;B=2", "weights:A=x", "weights:A=1;A=2",
      "weights:A=inf",
    ] {
      #expect(throws: SpecificationError.self) { try policy(wrong) }
    }
  }

  @Test("logged is what the log says")
  func logged() throws {
    let logged = try policy("logged")
    #expect(logged.needsLoggedProbabilities)
    #expect(
      logged.probabilities(in: TargetSituation(choices: ["a", "b"], logged: [0.1, 0.9])) == [
        0.1, 0.9,
      ])
    #expect(logged.probabilities(in: TargetSituation(choices: ["a", "b"])) == nil)
  }

  @Test("a table has probabilities by variant, and by slot and context if it has such columns")
  func table() throws {
    let plain = ["t.csv": "variant,probability\na,0.25\nb,0.75\n"]
    #expect(
      try probabilities("table:path=t.csv", ["b", "c", "a"], files: plain) == [0.75, 0, 0.25])
    let full = [
      "t.csv": """
      slot,variant,device,probability
      top,a,tv,1
      top,a,,0.5
      top,b,,0.5
      low,b,2,1
      """
    ]
    #expect(try policy("table:path=t.csv", full).contextAttributes == ["device"])
    let given: [(String, AttributeValue?, [Double]?)] = [
      ("top", "tv", [1, 0]), ("top", nil, [0.5, 0.5]), ("low", 2, [0, 1]), ("low", "tv", nil),
    ]
    for (slot, device, expected) in given {
      #expect(
        try probabilities("table:path=t.csv", ["a", "b"], [device], slot: slot, files: full)
          == expected)
    }
  }

  @Test(
    "a table that is wrong is refused",
    arguments: [
      "", "variant\na\n", "variant,probability\n", "variant,probability\na,2\n",
      "variant,probability\na,x\n", "variant,probability\na,0.5\na,0.5\n",
      "variant,probability\na,0.5\nb,0.4\n", "slot,variant,probability\ns,a,1\nt,a,0.9\n",
    ])
  func wrongTable(text: String) {
    #expect(throws: SpecificationError.self) { try policy("table:path=t.csv", ["t.csv": text]) }
  }

  @Test("an unknown name, parameter or file is refused")
  func unknown() {
    for text in ["unifrom", "uniform:a=1", "fixed:variant=a,b=1", "table:path=none.csv", "table"] {
      #expect(throws: SpecificationError.self) { try policy(text) }
    }
  }

  @Test("softmax follows an attribute of the choices, or the model's predictions")
  func softmax() throws {
    let softmax = try policy("softmax:feature=price,temperature=2")
    #expect(softmax.variantFeatures == ["price"])
    #expect(!softmax.needsModel)
    let situation = TargetSituation(
      choices: ["a", "b"], features: [[.number(1)], [.number(3)]])
    let share = 1 / (1 + Double.exp(1))
    let found = try #require(softmax.probabilities(in: situation))
    #expect(abs(found[0] - share) < 1e-15)
    #expect(abs(found[1] - (1 - share)) < 1e-15)
    for missing: [AttributeValue?] in [[nil], [.text("x")], []] {
      let unclear = TargetSituation(choices: ["a", "b"], features: [[.number(1)], missing])
      #expect(softmax.probabilities(in: unclear) == nil)
    }
    // Numbers of any size do not overflow.
    let large = TargetSituation(
      choices: ["a", "b"], features: [[.number(1e300)], [.number(-1e300)]])
    #expect(softmax.probabilities(in: large) == [1, 0])
    let modelled = try policy("softmax")
    #expect(modelled.needsModel)
    #expect(
      modelled.probabilities(in: TargetSituation(choices: ["a", "b"], modelled: [0.5, 0.5]))
        == [0.5, 0.5])
    #expect(throws: SpecificationError.self) { try policy("softmax:temperature=0") }
    #expect(throws: SpecificationError.self) { try policy("softmax:attribute=price") }
  }

  @Test("epsilon-greedy explores uniformly, and equal predictions share the rest")
  func epsilonGreedy() throws {
    let greedy = try policy("epsilon-greedy:epsilon=0.3")
    #expect(greedy.needsModel)
    let situation = TargetSituation(choices: ["a", "b", "c"], modelled: [1, 2, 2])
    let found = try #require(greedy.probabilities(in: situation))
    for (value, expected) in zip(found, [0.1, 0.45, 0.45]) {
      #expect(abs(value - expected) < 1e-15)
    }
    #expect(greedy.probabilities(in: TargetSituation(choices: ["a"])) == nil)
    #expect(throws: SpecificationError.self) { try policy("epsilon-greedy:epsilon=2") }
  }

  @Test("a name that is not a target policy is that of a learning policy")
  func learning() throws {
    func parse(_ texts: [String]) throws -> EvaluatedPolicies {
      try EvaluatedPolicies(parsing: texts) { (path) throws(SpecificationError) in
        throw SpecificationError("\(path) is not there")
      }
    }
    let found = try parse([
      "uniform", "ucb1", "replay:policy=(epsilon-greedy:epsilon=0.2),floor=0.1",
    ])
    #expect(found.targets.map(\.specification.name) == ["uniform"])
    #expect(found.learning.map(\.policy.description) == ["ucb1", "epsilon-greedy:epsilon=0.2"])
    #expect(found.learning.map(\.floor) == [nil, 0.1])
    for wrong in [
      ["ucb9"], ["uniform", "uniform"], ["replay"], ["replay:policy=(nothing)"],
      ["replay:policy=(ucb1),floor=0"],
    ] {
      #expect(throws: SpecificationError.self, "\(wrong)") { try parse(wrong) }
    }
  }
}
