import Bandits
import Events
import Specifications
import Statistics
import Synchronization
import TestSupport
import Testing

@testable import EventLog
@testable import OffPolicy
@testable import Replay

/// A uniform policy that counts the choices that it was asked for.
private final class Work: Sendable {
  let asked = Atomic<Int>(0)
  let predicted = Atomic<Int>(0)
}

private struct CountedPolicy: TargetPolicy {
  static let info = SpecificationInfo("counted", "uniform", source: "test")
  var specification = info.specification()
  var work = Work()

  func probabilities(in situation: TargetSituation) -> [Double]? {
    work.asked.add(situation.choices.count, ordering: .relaxed)
    return UniformTarget().probabilities(in: situation)
  }
}

/// The mean of each variant, counting predictions.
private struct CountedModel: RewardModel {
  static let info = SpecificationInfo("counted", "tabular", source: "test")
  static let usesFeatures = false
  static let learnsAnySize = true
  var specification = info.specification()
  var work = Work()

  init() {}

  func makeFit(_ problem: RewardProblem) throws(SpecificationError) -> any RewardFit {
    Fit(work: work, fit: try TabularRewards().makeFit(problem))
  }

  struct Fit: RewardFit {
    let work: Work
    var fit: any RewardFit

    mutating func add(_ row: RewardRow, _ features: FeatureVector) { fit.add(row, features) }
    var emptyPart: Fit { Fit(work: work, fit: fit.emptyPart) }
    mutating func merge(_ part: Fit) { Self.merge(&fit, part.fit) }
    private static func merge<F: RewardFit>(_ fit: inout F, _ part: any RewardFit) {
      if let part = part as? F { fit.merge(part) }
    }
    mutating func finishPass() throws(SpecificationError) -> Bool { try fit.finishPass() }
    func fitted() throws(SpecificationError) -> any FittedRewardModel {
      Fitted(work: work, model: try fit.fitted())
    }
  }

  struct Fitted: FittedRewardModel {
    let work: Work
    let model: any FittedRewardModel

    func reward(of variant: Int, in slot: Int, _ features: FeatureVector) -> Double {
      work.predicted.add(1, ordering: .relaxed)
      return model.reward(of: variant, in: slot, features)
    }
  }
}

@Suite("Logs of many variants")
struct ManyVariantsTests {
  /// A decision for each of some variants, without its choices.
  private static func events(_ variants: Int) -> [Event] {
    (0..<variants).flatMap { index -> [Event] in
      let time = Timestamp(microseconds: Int64(index) * 1_000_000)
      let unit = UnitID("u\(index)")
      let decision = Decision(
        experiment: "e", variant: VariantID("v\(index)"),
        propensity: 1 / Double(variants))
      let goal = Goal(experiment: "e", goal: "g")
      return [Event(time: time, unit: unit, payload: .decision(decision))]
        + (index % 5 == 0 ? [Event(time: time, unit: unit, payload: .goal(goal))] : [])
    }
  }

  private func log(_ variants: Int) throws -> WorldLog { try WorldLog(Self.events(variants)) }

  @Test(
    "the choices of a place are visited once, however many decisions there are",
    arguments: [500, 2_000])
  func evaluation(variants: Int) throws {
    let log = try log(variants)
    let (policy, model) = (CountedPolicy(), CountedModel())
    let plan = OffPolicyPlan(
      policies: [policy, UniformTarget()],
      estimators: try ["ips", "dm", "dr", "mrdr"].map { try EstimatorCatalog.standard.named($0) },
      rewardModel: model)
    let evaluation = try LogReplay(log.reader, jobs: 2).evaluate(
      UnitSelection(), experiment: try #require(log.names.code(of: "e", in: .experiments)), plan)
    let estimates = evaluation.policies[0].estimates
    #expect(abs((estimates[0].sums.value ?? 0) - 0.2) < 1e-9)
    #expect(evaluation.policies[0].support.cells.allSatisfy { $0.cell.offered == variants })
    // A few visits for each thread and pass.
    #expect(policy.work.asked.load(ordering: .relaxed) <= 8 * variants)
    #expect(model.work.predicted.load(ordering: .relaxed) <= 24 * variants)
  }

  @Test("a log of 20,000 variants has a regret, an evaluation and a learned policy")
  func all() throws {
    let variants = 20_000
    let log = try log(variants)
    let replay = LogReplay(log.reader)
    let experiment = try #require(log.names.code(of: "e", in: .experiments))
    let curves = try replay.regret(UnitSelection(), RegretRules(level: 0.95)).curves
    #expect(curves[0].variants.count == variants && curves[0].rows.last?.interval != nil)
    let plan = LearningPlan(
      [
        LearningPlan.Candidate(
          try PolicyLearnerCatalog.standard.named("tabular:objective=dr"),
          features: try FeatureSpecification(parsing: ""))
      ], estimator: DoublyRobust(), interval: NormalInterval(),
      rewardModel: TabularRewards())
    let learning = try replay.learn(UnitSelection(), experiment: experiment, plan)
    #expect(learning.policy.problem.variants.count == variants)
  }
}
