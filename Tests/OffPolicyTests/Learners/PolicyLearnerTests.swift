import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits
@testable import OffPolicy

@Suite("Learners of policies")
struct PolicyLearnerTests {
  private static let features = [
    "tabular": "", "tree": "one-hot(country)+number(age)",
    "softmax-linear": "cross(country,old,variant)+cross(standardized(age),variant)",
  ]

  private func learner(_ text: String) throws -> any PolicyLearner {
    try PolicyLearnerCatalog.standard.named(text)
  }

  @Test(
    "a learned policy approaches the best one of its class",
    arguments: ["tabular", "tree", "softmax-linear"], PolicyObjective.allCases)
  func optimum(kind: String, objective: PolicyObjective) throws {
    let log = ContextualLog(6000, seed: 3)
    let learner = try learner("\(kind):objective=\(objective.rawValue)")
    let problem = try log.problem(Self.features[kind] ?? "")
    let decisions = log.decisions(problem.map)
    let policy = try learner.learn(problem) { body in decisions.forEach { body($0) } }
    let value = log.value(policy)
    // C is the best for all units together: for 2/3 of them, and 38 of 60 ages.
    #expect(value > (kind == "tabular" ? 0.465 : 0.68), "\(kind), \(objective): \(value)")
    #expect(value <= 0.7)
  }

  @Test(
    "neither order nor parts change a bit of a policy",
    arguments: ["tabular:lambda=1", "tree:depth=2", "softmax-linear:passes=12"],
    PolicyObjective.allCases)
  func merging(text: String, objective: PolicyObjective) throws {
    let log = ContextualLog(400, seed: 5)
    let learner = try learner(
      text + (text.contains(":") ? "," : ":") + "objective=\(objective.rawValue)")
    let problem = try log.problem(Self.features[learner.specification.name] ?? "")
    let decisions = log.decisions(problem.map)
    var random = SeededGenerator(seed: 7)
    let whole = try learner.learn(problem) { body in decisions.forEach { body($0) } }
    #expect(try learner.learn(problem, decisions, parts: 3, &random) == whole)
    #expect(try LearnedPolicy(whole.tree) == whole)
    #expect(try LearnedPolicy(whole.tree).tree == whole.tree)
  }

  @Test("a tabular policy takes the best variant of each slot, by the objective")
  func tabular() throws {
    let problem = PolicyProblem(
      slots: ["x", "y"], variants: ["A", "B", "C"], map: try ContextualLog(1, seed: 1).map(""))
    // In slot x: A 1/0.5 and 0/0.5 of four decisions, B 0.9/1, C −1/0.25; in slot y nothing.
    var decisions: [LearningDecision] = []
    for (chosen, propensity, reward) in [(0, 0.5, 1.0), (0, 0.5, 0), (1, 1, 0.9), (2, 0.25, -1)] {
      var decision = LearningDecision()
      (decision.choices, decision.chosen) = ([0, 1, 2], chosen)
      (decision.propensity, decision.reward) = (propensity, reward)
      decision.modelled = [0.5, 0.25, 1]
      decisions.append(decision)
    }
    func table(_ text: String) throws -> [[Double]] {
      let policy = try learner("tabular:" + text).learn(problem) { body in
        decisions.forEach { body($0) }
      }
      return [0, 1].map {
        var probabilities: [Double] = []
        policy.probabilities(slot: $0, choices: [0, 1, 2], [], into: &probabilities)
        return probabilities
      }
    }
    let third = 1.0 / 3
    // ips: 0.5, 0.225, −1; snips: 0.5, 0.9, −1; dr: 0.5 + (1 − 1)/4, 0.25 + 0.65/4, 1 − 8/4; regression: 0.5, 0.25, 1.
    #expect(try table("objective=ips") == [[1, 0, 0], [third, third, third]])
    #expect(try table("objective=snips")[0] == [0, 1, 0])
    #expect(try table("objective=dr")[0] == [1, 0, 0])
    #expect(try table("objective=regression")[0] == [0, 0, 1])
    let shrunk = try table("objective=ips,lambda=1e6")[0]
    #expect(shrunk.allSatisfy { abs($0 - third) < 1e-5 } && shrunk[0] > shrunk[1])
  }

  @Test(
    "the probabilities of a penalized table are at the maximum",
    arguments: 1...30 as ClosedRange<UInt64>)
  func projection(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let gains = (0..<4).map { _ in Double.random(in: -1...1, using: &random) }
    var values = VariantValues(4)
    var decision = LearningDecision()
    (decision.choices, decision.modelled) = ([0, 1, 2, 3], gains)
    values.add(decision, .regression)
    let lambda = random.pick([0, 0.01, 0.5, 2, 100], or: 1)
    func value(_ p: [Double]) -> Double {
      zip(p, gains).map(*).reduce(0, +) - lambda / 2
        * p.map { ($0 - 0.25) * ($0 - 0.25) }.reduce(0, +)
    }
    let best = values.best(lambda)
    #expect(
      abs(best.probabilities.reduce(0, +) - 1) < 1e-12 && best.probabilities.allSatisfy { $0 >= 0 })
    #expect(abs(value(best.probabilities) - best.value) < 1e-12, "seed \(seed)")
    for _ in 0..<300 {
      let shares = (0..<4).map { _ in Draw.exponential(rate: 1, using: &random) }
      let other = shares.map { $0 / shares.reduce(0, +) }
      for t in [1, 0.1, 0.01] {
        let near = zip(best.probabilities, other).map { $0 + t * ($1 - $0) }
        #expect(value(near) <= best.value + 1e-12, "seed \(seed)")
      }
    }
  }

  /// The objective of softmax weights, over all decisions.
  private func objective(
    _ kind: PolicyObjective, _ weights: [Double], _ decisions: [LearningDecision], _ lambda: Double
  ) -> Double {
    var (sum, divisor) = (0.0, 0.0)
    for decision in decisions {
      let scores = decision.features.map { Double.exp($0.dot(weights)) }
      for place in decision.choices.indices {
        let p = scores[place] / scores.reduce(0, +)
        let isChosen = place == decision.chosen
        let q = kind == .dr || kind == .regression ? decision.modelled[place] : 0
        let w = isChosen && kind != .regression ? 1 / decision.propensity : 0
        sum += p * (q + w * (decision.reward - q))
        if kind == .snips { divisor += p * w }
      }
    }
    if kind != .snips { divisor = Double(decisions.count) }
    return sum / divisor - lambda / 2 * weights.map { $0 * $0 }.reduce(0, +)
  }

  @Test("softmax weights are at a maximum of the objective", arguments: PolicyObjective.allCases)
  func softmax(kind: PolicyObjective) throws {
    let log = ContextualLog(300, seed: 11)
    let problem = try log.problem("one-hot(variant)+cross(standardized(age),variant)")
    let decisions = log.decisions(problem.map)
    let policy = try learner("softmax-linear:objective=\(kind.rawValue),lambda=0.01").learn(problem) {
      body in decisions.forEach { body($0) }
    }
    guard case .softmax(let weights) = policy.rule else { return #expect(Bool(false)) }
    let best = objective(kind, weights, decisions, 0.01)
    let zeros = weights.map { _ in 0.0 }
    #expect(best > objective(kind, zeros, decisions, 0.01) + 0.02)
    for column in weights.indices {
      let slopes = [-1e-4, 1e-4].map { step in
        var moved = weights
        moved[column] += step
        return objective(kind, moved, decisions, 0.01)
      }
      #expect(abs(slopes[1] - slopes[0]) / 2e-4 < 1e-6, "\(column)")
      #expect(slopes[0] < best && slopes[1] < best, "\(column)")
    }
  }

  @Test("what a class cannot do is said")
  func refused() throws {
    let log = ContextualLog(10, seed: 1)
    func message(_ text: String, _ features: String) throws -> String {
      let problem = try log.problem(features)
      let learner = try learner(text)
      return #expect(throws: SpecificationError.self) { try learner.makeFit(problem) }?.description
        ?? ""
    }
    #expect(try message("tree", "one-hot(variant)").contains("features that all variants share"))
    #expect(try message("softmax-linear", "number(age)").contains("cross(country,variant)"))
    #expect(
      throws: SpecificationError(
        "unknown policy class \"forest\"; available: \"softmax-linear\", \"tabular\", \"tree\"")
    ) {
      try PolicyLearnerCatalog.standard.named("forest")
    }
    #expect(
      throws: SpecificationError("objective=mrdr of tree must be one of ips, snips, dr, regression")
    ) {
      try PolicyLearnerCatalog.standard.named("tree:objective=mrdr")
    }
  }

  @Test("decisions that cannot be learned from are ignored")
  func unusable() throws {
    let log = ContextualLog(200, seed: 2)
    for text in [
      "tabular:objective=dr", "tree:objective=dr,depth=2", "softmax-linear:objective=dr,passes=5",
    ] {
      let learner = try learner(text)
      let problem = try log.problem(Self.features[learner.specification.name] ?? "")
      let decisions = log.decisions(problem.map)
      let damages: [(inout LearningDecision) -> Void] = [
        { $0.propensity = 0 }, { $0.propensity = .nan }, { $0.reward = .infinity },
        { $0.chosen = 3 },
        { $0.chosen = -1 }, { $0.modelled = [] }, { $0.modelled[1] = .nan },
        { ($0.choices, $0.modelled) = ([], []) },
      ]
      let more =
        decisions
        + damages.map { damage in
          var decision = decisions[0]
          damage(&decision)
          return decision
        }
      let policy = try learner.learn(problem) { body in decisions.forEach { body($0) } }
      #expect(try learner.learn(problem) { body in more.forEach { body($0) } } == policy, "\(text)")
      let none = try learner.learn(problem) { _ in }
      #expect(abs(log.value(none) - 1.3 / 3) < 1e-12, "\(text)")
    }
  }
}
