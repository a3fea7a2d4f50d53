import Bandits
import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import EventLog
@testable import OffPolicy
@testable import Replay

@Suite("Learned policies as target policies")
struct LearnedTargetTests {
  private func target(_ policy: LearnedPolicy) throws -> any TargetPolicy {
    let text = LearnedPolicyFile(policy).text
    return try TargetPolicyCatalog.standard.named("learned:path=p.json") { _ in text }
  }

  @Test(
    "the value is that of the policy's probabilities",
    arguments: [
      ("tabular:objective=snips,lambda=1", ""), ("tree:min-decisions=2", "one-hot(device)"),
      ("softmax-linear:passes=3", "cross(device,variant)"),
    ])
  func value(learner: String, features: String) throws {
    var random = SeededGenerator(seed: 11)
    let events = NaiveLearning.events(&random, count: 90)
    let naive = NaiveLearning(events, heldShare: 0.5)
    let policy = try naive.policy(
      LearningPlan.Candidate(
        try PolicyLearnerCatalog.standard.named(learner),
        features: try FeatureSpecification(parsing: features)), without: nil)
    let log = try WorldLog(events)
    let plan = OffPolicyPlan(
      policies: [try target(policy)], estimators: [try EstimatorCatalog.standard.named("ips")],
      rewardModel: TabularRewards())
    let evaluation = try LogReplay(log.reader).evaluate(
      UnitSelection(), experiment: try #require(log.names.code(of: "e", in: .experiments)), plan)
    let served = ServedPolicy(policy)
    let rows = naive.training + naive.held
    let sum = rows.reduce(0) { sum, row in
      let shares = served.probabilities(slot: "decision-1", choices: NaiveLearning.variants) {
        _, _ in .text(row.device)
      }
      return sum + shares[row.variant] / row.propensity * row.reward
    }
    let found = try #require(evaluation.policies[0].estimates[0].sums.value)
    #expect(abs(found - sum / Double(rows.count)) < 1e-9)
    #expect(evaluation.policies[0].undecided == 0)
  }

  @Test("with a control share it is what an agent serves, and what it never saw is told")
  func served() throws {
    let policy = try SmallPolicy.learned("tree:min-decisions=5", "one-hot(country)")
    let text = LearnedPolicyFile(policy).text
    let catalog = TargetPolicyCatalog.standard
    let alone = try catalog.named("learned:path=p.json") { _ in text }
    let mixed = try catalog.named("learned:path=p.json,control-share=0.25") { _ in text }
    let situation = TargetSituation(
      slot: "s \"1\"", choices: ["A", "B"], attributes: [.text("de")])
    let shares = try #require(alone.probabilities(in: situation))
    let served = try #require(mixed.probabilities(in: situation))
    for (share, served) in zip(shares, served) {
      #expect(abs(served - (0.75 * share + 0.25 / 2)) < 1e-15)
    }
    #expect(!alone.isUnseen(situation))
    for other in [
      TargetSituation(slot: "s \"1\"", choices: ["A", "B"], attributes: [.text("nowhere")]),
      TargetSituation(slot: "s \"1\"", choices: ["A", "other"], attributes: [.text("de")]),
    ] { #expect(alone.isUnseen(other)) }
    #expect(
      throws: SpecificationError("control-share=2 of learned must be a number from 0.0 to 1.0")
    ) { try catalog.named("learned:path=p.json,control-share=2") { _ in text } }
  }

  @Test("a table says nothing about another slot, and a tree about any that it does not read")
  func slots() throws {
    let table = try target(SmallPolicy.learned("tabular", ""))
    #expect(table.probabilities(in: TargetSituation(slot: "t", choices: ["A", "B"])) == nil)
    let known = TargetSituation(slot: "s \"1\"", choices: ["A", "B", "new"])
    #expect(table.probabilities(in: known)?.reduce(0, +) == 1)
    #expect(table.probabilities(in: known)?.last == 0)
    let tree = try target(SmallPolicy.learned("tree:min-decisions=5", "one-hot(country)"))
    #expect(tree.contextAttributes == ["country"] && tree.variantFeatures.isEmpty)
    let other = TargetSituation(slot: "t", choices: ["A", "B"], attributes: [.text("de")])
    #expect(tree.probabilities(in: other)?.reduce(0, +) == 1)
  }

  @Test("specifications without a file, and files that are none, are refused")
  func refused() {
    for (text, reason) in [
      ("learned", "needs a file"), ("learned:file=x", "no parameter"),
      ("learned:path=p.json", "p.json is not a learned policy"),
    ] {
      let error = #expect(throws: SpecificationError.self) {
        try TargetPolicyCatalog.standard.named(text) { _ in "{}" }
      }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
  }
}
