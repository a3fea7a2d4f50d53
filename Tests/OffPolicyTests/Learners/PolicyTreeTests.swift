import Specifications
import Statistics
import TestSupport
import Testing

@testable import Bandits
@testable import OffPolicy

/// A tree that tries every value of every column as a threshold, over the rows themselves.
private indirect enum NaiveTree {
  case leaf([Double])
  case test(Int, Double, NaiveTree, NaiveTree)

  static func value(_ rows: [LearningDecision]) -> (shares: [Double], value: Double) {
    var sums = [0.0, 0, 0]
    for row in rows { sums[row.chosen] += row.reward / row.propensity }
    let best = sums.max() ?? 0
    let count = Double(sums.count { $0 == best })
    return (sums.map { $0 == best ? 1 / count : 0 }, best)
  }

  static func grow(_ rows: [LearningDecision], _ columns: Int, depth: Int, least: Int) -> NaiveTree {
    let whole = value(rows)
    var best: (value: Double, column: Int, bound: Double)?
    func column(_ row: LearningDecision, _ place: Int) -> Double {
      row.features[0].entries.first { $0.column == place }?.value ?? 0
    }
    for place in 0..<columns where depth > 0 {
      for bound in Set(rows.map { column($0, place) }).sorted().dropFirst() {
        let (low, high) = (
          rows.filter { column($0, place) < bound }, rows.filter { column($0, place) >= bound }
        )
        guard low.count >= least, high.count >= least else { continue }
        let sum = value(low).value + value(high).value
        if sum > best?.value ?? whole.value + 1e-12 * abs(whole.value) {
          best = (sum, place, bound)
        }
      }
    }
    guard let best else { return .leaf(whole.shares) }
    return .test(
      best.column, best.bound,
      grow(
        rows.filter { column($0, best.column) < best.bound }, columns, depth: depth - 1,
        least: least),
      grow(
        rows.filter { column($0, best.column) >= best.bound }, columns, depth: depth - 1,
        least: least))
  }

  func shares(_ features: FeatureVector) -> [Double] {
    switch self {
    case .leaf(let shares): return shares
    case .test(let column, let bound, let low, let high):
      return (features.value(column) >= bound ? high : low).shares(features)
    }
  }
}

@Suite("Trees of policies")
struct PolicyTreeTests {
  @Test("a tree is that of a search over all rows", arguments: 1...10 as ClosedRange<UInt64>)
  func naive(seed: UInt64) throws {
    let log = ContextualLog(150, seed: seed)
    let problem = try log.problem("one-hot(country)+standardized(age)+number(old)")
    // Propensities that are powers of two, so that sums of the twin are exact, and rewards without ties.
    let decisions = log.decisions(problem.map).enumerated().map { index, decision in
      var decision = decision
      decision.propensity = decision.chosen == 2 ? 0.5 : 0.25
      decision.reward += Double(index * 7919 % 1024) / 1024
      return decision
    }
    let learner = try PolicyLearnerCatalog.standard.named("tree:depth=3,bins=256,min-decisions=10")
    let policy = try learner.learn(problem) { body in decisions.forEach { body($0) } }
    let naive = NaiveTree.grow(decisions, problem.map.columnCount, depth: 3, least: 10)
    var probabilities: [Double] = []
    for decision in decisions {
      policy.probabilities(slot: 0, choices: [0, 1, 2], decision.features, into: &probabilities)
      #expect(probabilities == naive.shares(decision.features[0]), "seed \(seed)")
    }
  }

  @Test("a tree of no depth is the best variant of all")
  func noDepth() throws {
    let log = ContextualLog(500, seed: 4)
    let problem = try log.problem("number(age)")
    let decisions = log.decisions(problem.map)
    let policy = try PolicyLearnerCatalog.standard.named("tree:depth=0,objective=regression")
      .learn(problem) { body in decisions.forEach { body($0) } }
    #expect(policy.rule == .tree(PolicyTree(tests: [], leaves: [[0, 0, 1]])))
    #expect(try LearnedPolicy(policy.tree) == policy)
  }
}

@Suite("Learned policies as values")
struct LearnedPolicyTests {
  private func policy(_ text: String, _ features: String) throws -> LearnedPolicy {
    let log = ContextualLog(500, seed: 4)
    let problem = try log.problem(features)
    let decisions = log.decisions(problem.map)
    return try PolicyLearnerCatalog.standard.named(text)
      .learn(problem) { body in decisions.forEach { body($0) } }
  }

  @Test("the form is readable")
  func readable() throws {
    let tree = try policy("tree:depth=1,objective=regression", "one-hot(country)").tree
    #expect(tree["class"] == .text("tree") && tree["version"] == .number(1))
    #expect(tree["learner"] == .text("tree:depth=1,objective=regression"))
    #expect(tree["variants"] == .texts(["A", "B", "C"]))
    #expect(tree["tree"]?["name"] == .text("country=fr"))
    #expect(
      tree["tree"]?["then"]?["probabilities"]
        == .list([
          .object([.init("variant", .text("B")), .init("probability", .number(1))])
        ]))
    let softmax = try policy("softmax-linear:objective=regression", "one-hot(variant)").tree
    guard case .list(let weights)? = softmax["coefficients"] else { return #expect(Bool(false)) }
    #expect(
      weights.map { $0["name"] } == [.text("variant=A"), .text("variant=B"), .text("variant=C")])
  }

  @Test("choices share the probability of all choices")
  func choices() throws {
    let problem = PolicyProblem(
      slots: ["s"], variants: ["A", "B", "C"], map: try ContextualLog(1, seed: 1).map(""))
    let policy = LearnedPolicy(
      Specification("tabular"), .ips, problem, .table([[0.5, 0.25, 0.25]]))
    var probabilities: [Double] = []
    func shares(_ slot: Int, _ choices: [Int]) -> [Double] {
      policy.probabilities(slot: slot, choices: choices, [], into: &probabilities)
      return probabilities
    }
    #expect(shares(0, [2, 0, 1]) == [0.25, 0.5, 0.25])
    #expect(shares(0, [1, 2]) == [0.5, 0.5])
    #expect(shares(0, [0, 2, -1, 9]) == [0.5 / 0.75, 0.25 / 0.75, 0, 0])
    #expect(shares(0, [7, 8]) == [0.5, 0.5])
    #expect(shares(3, [0, 1]) == [0.5, 0.5])
    #expect(shares(0, []) == [])
  }

  @Test("scores of any size give probabilities")
  func extremes() {
    func softmax(_ scores: [Double]) -> [Double] {
      var scores = scores
      LearnedPolicy.Softmax.normalize(&scores)
      return scores
    }
    #expect(softmax([.infinity, 3, -.infinity]) == [1, 0, 0])
    #expect(softmax([.nan, 0]) == [0.5, 0.5])
    #expect(softmax([-.infinity, -.infinity]) == [0.5, 0.5])
    #expect(softmax([1e300, 1e300, -1e300]) == [0.5, 0.5, 0])
    #expect(softmax([]) == [])
    #expect(abs(softmax([0, Double.log(3)])[1] - 0.75) < 1e-15)
  }

  @Test("damaged policies are refused with a reason")
  func damaged() throws {
    func edit(_ value: JSONTree, _ old: JSONTree, _ new: JSONTree) -> JSONTree {
      if value == old { return new }
      switch value {
      case .list(let list): return .list(list.map { edit($0, old, new) })
      case .object(let fields):
        return .object(fields.map { .init($0.name, edit($0.value, old, new)) })
      default: return value
      }
    }
    let tree = try policy("tree:depth=1,objective=regression", "one-hot(country)").tree
    let cases: [(JSONTree, JSONTree, String)] = [
      (.text("tree"), .text("forest"), "unknown policy class \"forest\""),
      (.text("regression"), .text("mrdr"), "unknown objective \"mrdr\""),
      (.text("country=fr"), .text("country=xx"), "should be \"country=fr\""),
      (.text("B"), .text("Z"), "for one of the \"variants\""),
      (.number(2), .number(77), "\"column\" is 77.0 and must be a whole number from 0 to 3"),
    ]
    for (old, new, reason) in cases {
      // The name of a variant is changed in the tree only.
      let damaged =
        old == .text("B")
        ? .object([.init("tree", edit(tree["tree"] ?? tree, old, new))]) : edit(tree, old, new)
      var fields: [JSONTree.Member] = []
      if case .object(let all) = tree {
        fields = all.map { .init($0.name, damaged[$0.name] ?? $0.value) }
      }
      let error = #expect(throws: SpecificationError.self) { try LearnedPolicy(.object(fields)) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "none")")
    }
    #expect(throws: SpecificationError.self) { try LearnedPolicy(.number(1)) }
    #expect(throws: SpecificationError("probabilities add up to 0.5 instead of 1")) {
      try LearnedPolicy.distribution(
        .list([.object([.init("variant", .text("A")), .init("probability", .number(0.5))])]), ["A"])
    }
  }
}
