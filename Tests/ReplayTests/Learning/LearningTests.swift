import Bandits
import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import EventLog
@testable import OffPolicy
@testable import Replay

@Suite("Learning policies from a log")
struct LearningTests {
  private func candidate(_ text: String, _ features: String) throws -> LearningPlan.Candidate {
    LearningPlan.Candidate(
      try PolicyLearnerCatalog.standard.named(text),
      features: try FeatureSpecification(parsing: features))
  }

  private func plan(
    _ candidates: [LearningPlan.Candidate], held: LearningPlan.HeldPart = .share(0.25),
    estimator: String = "dr"
  ) throws -> LearningPlan {
    LearningPlan(
      candidates, estimator: try EstimatorCatalog.standard.named(estimator),
      interval: NormalInterval(),
      rewardModel: try TabularRewards { ($0.priorSum, $0.priorCount) = (1, 4) },
      folds: NaiveLearning.folds, held: held)
  }

  private func learn(_ log: WorldLog, _ plan: LearningPlan, _ replay: LogReplay? = nil) throws
    -> Learning
  {
    let experiment = try #require(log.names.code(of: "e", in: .experiments))
    return try (replay ?? LogReplay(log.reader)).learn(
      UnitSelection(), experiment: experiment, plan)
  }

  /// A grid of classes, objectives, penalties and features.
  private func grid() throws -> [LearningPlan.Candidate] {
    [
      try candidate("tabular:objective=snips", ""),
      try candidate("tabular:objective=dr,lambda=4", ""),
      try candidate("tree:objective=ips,min-decisions=3", "one-hot(device)"),
      try candidate("tree:objective=regression,depth=1,min-decisions=3", "one-hot(device)"),
      try candidate("softmax-linear:objective=ips,passes=4", "cross(device,variant)"),
      try candidate("softmax-linear:objective=dr,passes=3", "one-hot(variant)"),
    ]
  }

  @Test(
    "values, the choice and the policy are those of the definition",
    arguments: LongTests.chunks(4, of: 12))
  func twin(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = NaiveLearning.events(&random, count: 80)
    let naive = NaiveLearning(events, heldShare: 0.25)
    let grid = try grid()
    let values = try grid.map { candidate in
      let policies = try (0..<NaiveLearning.folds).map { try naive.policy(candidate, without: $0) }
      return naive.value(naive.training) { policies[$0] }
    }
    let best = try #require(values.firstIndex(of: values.max() ?? 0))
    let whole = try naive.policy(grid[best], without: nil)
    var first: LearnedPolicyFile?
    for form in ReplayForm.all {
      let log = try WorldLog(events, perFrame: form.perFrame)
      let learning = try learn(log, plan(grid), form.replay(log))
      #expect(learning.training.decisions == naive.training.count, "seed \(seed), \(form)")
      #expect(learning.heldDecisions.decisions == naive.held.count, "seed \(seed)")
      #expect(learning.heldSince == naive.held.map(\.time).min(), "seed \(seed)")
      for (found, value) in zip(learning.candidates, values) {
        let estimate = try #require(found.value.estimates[0].sums.value)
        #expect(abs(estimate - value) < 1e-9, "seed \(seed), \(found.candidate.learner)")
      }
      #expect(learning.chosen == best, "seed \(seed)")
      let held = try #require(learning.held.estimates[0].sums.value)
      #expect(abs(held - naive.value(naive.held) { _ in whole }) < 1e-9, "seed \(seed)")
      let mean = naive.held.reduce(0) { $0 + $1.reward } / Double(naive.held.count)
      #expect(abs((learning.logged.estimates[0].sums.value ?? .nan) - mean) < 1e-12)
      let file = LearnedPolicyFile(learning.policy)
      #expect(first.map { $0.text == file.text } ?? true, "seed \(seed), \(form)")
      first = file
    }
  }

  @Test("the held part begins at a time, or is empty")
  func heldPart() throws {
    var random = SeededGenerator(seed: 1)
    let log = try WorldLog(NaiveLearning.events(&random, count: 60))
    let candidates = [try candidate("tabular", "")]
    let since = try learn(log, plan(candidates, held: .since(300)))
    #expect(since.heldSince == 300)
    #expect(since.training.decisions + since.heldDecisions.decisions == 60)
    for held in [LearningPlan.HeldPart.share(0), .since(1_000_000)] {
      let none = try learn(log, plan(candidates, held: held))
      #expect(none.heldSince == nil)
      #expect(none.heldDecisions.decisions == 0)
      #expect(none.training.decisions == 60)
      #expect(none.held.estimates[0].sums.value == nil)
    }
  }

  @Test("candidates that cannot use their features are left out, unless all are")
  func leftOut() throws {
    var random = SeededGenerator(seed: 2)
    let log = try WorldLog(NaiveLearning.events(&random, count: 60))
    let bad = try candidate("tree", "one-hot(variant)")
    let learning = try learn(log, plan([bad, try candidate("tabular", "")]))
    #expect(learning.candidates.map(\.candidate.learner.specification.name) == ["tabular"])
    #expect(learning.refused.map(\.candidate.learner.specification.name) == ["tree"])
    #expect(learning.refused.first?.reason.contains("leave out those of the variant") == true)
    #expect(throws: SpecificationError.self) { try learn(log, plan([bad])) }
  }

  @Test("the policy reads attributes of the context and of variants")
  func attributes() throws {
    var random = SeededGenerator(seed: 4)
    let log = try WorldLog(NaiveLearning.events(&random, count: 100))
    let learning = try learn(
      log, plan([try candidate("softmax-linear:objective=dr", "cross(device,variant)")]))
    let served = ServedPolicy(learning.policy)
    #expect(served.attributes == [.context("device")])
    let shares = ["tv", "phone"].map { device in
      served.probabilities(slot: "decision-1", choices: NaiveLearning.variants) { _, _ in
        .text(device)
      }
    }
    #expect(shares[0][0] > 0.5 && shares[1][0] < 0.5)
  }

  @Test("what cannot be learned is refused, with the reason")
  func refused() throws {
    var random = SeededGenerator(seed: 3)
    let log = try WorldLog(NaiveLearning.events(&random, count: 40))
    let empty = try WorldLog([decision(1, "a", "v0")])
    let tabular = [try candidate("tabular", "")]
    var folds = try plan(tabular)
    folds.folds = 1
    let cases: [(WorldLog, LearningPlan, String)] = [
      (log, try plan([]), "no policy class"), (log, folds, "folds"),
      (log, try plan(tabular, held: .share(1)), "test-share"),
      (log, try plan(tabular, held: .since(-5)), "all decisions would be held back"),
      (log, try plan(tabular, estimator: "mrdr"), "name ips, snips or dr"),
    ]
    for (log, plan, reason) in cases {
      let error = #expect(throws: SpecificationError.self) { try learn(log, plan) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
    #expect(throws: NoDecisionsError()) { try learn(empty, try plan(tabular)) }
  }
}
