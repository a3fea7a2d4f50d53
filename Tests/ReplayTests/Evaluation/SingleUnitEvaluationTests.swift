import Bandits
import Events
import TestSupport
import Testing

@testable import EventLog
@testable import OffPolicy
@testable import Replay
@testable import Specifications
@testable import Statistics

@Suite("Evaluation of units with a single decision")
struct SingleUnitEvaluationTests {
  /// A random plan of all estimators.
  static func plan(_ random: inout SeededGenerator) throws -> OffPolicyPlan {
    let policies = ["uniform", "fixed:variant=v1", "weights:v0=1;v1=3", "logged", "epsilon-greedy"]
    let models: [any RewardModel] = [TabularRewards(), LinearRewards()]
    var plan = OffPolicyPlan(
      policies: try policies.map {
        try TargetPolicyCatalog.standard.named($0) { _ throws(SpecificationError) in "" }
      },
      estimators: try EstimatorCatalog.standard.all.map {
        try EstimatorCatalog.standard.named($0.name)
      },
      intervals: try [
        "normal", "student-t", "hoeffding", "empirical-bernstein", "clopper-pearson",
        "cressie-read", "bernstein-sequence",
      ].map { try IntervalCatalog.standard.named($0) },
      rewardModel: models[random.index(2)], attribution: attributionOfSingles(&random))
    if random.chance(0.3) { plan.versus = random.index(policies.count) }
    if random.chance(0.2) { plan.folds = 2 }
    if random.chance(0.2) {
      plan.dividesSlots = true
      plan.estimators.shuffle(using: &random)
      plan.estimators.removeLast(plan.estimators.count - 3)
    }
    if random.chance(0.2) { plan.divides = true }
    if random.chance(0.2) {
      let name = ["bootstrap:replicates=5", "off-policy-sequence"][random.index(2)]
      plan.intervals.append(try IntervalCatalog.standard.named(name))
    }
    return plan
  }

  /// The estimates as bytes, and what else there is.
  static func contents(_ evaluation: Evaluation) throws -> [[UInt8]] {
    let texts = ["\(evaluation.ledger)", "\(evaluation.places)"]
    let more = ["\(evaluation.variants)", "\(String(describing: evaluation.periods))"]
    var contents = (texts + more).map { Array($0.utf8) }
    var writer = StateWriter()
    evaluation.rewards.write(to: &writer)
    evaluation.logging.write(to: &writer)
    contents.append(writer.bytes)
    for policy in evaluation.policies {
      var writer = StateWriter()
      policy.write(to: &writer)
      contents.append(writer.bytes)
    }
    return contents
  }

  @Test(
    "is that of their histories, for all estimators and intervals",
    arguments: LongTests.chunks(8, of: 50))
  func histories(part: UInt64) throws {
    for seed in part * 24..<part * 24 + 24 {
      var random = SeededGenerator(seed: seed)
      var plan = try Self.plan(&random)
      let events = random.chance(0.8) ? eventsOfSingles(&random) : SmallWorld.situations(&random)
      let form = ReplayForm.all[[0, 1, 3][random.index(3)]]
      let log = try WorldLog(events, perFrame: form.perFrame)
      guard let experiment = log.names.code(of: "e0", in: .experiments) else { continue }
      let metric = try RewardMetric(parsing: ["reward", "goals", "reward:goal=g"][random.index(3)])
      plan.attribution.metric = metric.resolved(log.names.code(of: "g", in: .goals))
      let selection = plan.selection(UnitSelection(), experiment: experiment)
      let decided = try EvaluatedUnits(
        form.replay(log), selection, plan.needsOfUnits, deciding: plan.attribution)
      let collected = try EvaluatedUnits(form.replay(log), selection, plan.needs)
      #expect(decided.decided != nil && collected.decided == nil)
      let found = try [decided, collected].map {
        try Self.contents(PlannedEvaluation.evaluations([plan], $0)[0].evaluation)
      }
      #expect(found[0] == found[1], "seed \(seed), \(form)")
      let evaluation = try form.replay(log).evaluate(UnitSelection(), experiment: experiment, plan)
      let contents = try Self.contents(evaluation)
      #expect(contents == found[0], "seed \(seed), \(form)")
    }
  }
}
