import Specifications
import Testing

@testable import Bandits
@testable import OffPolicy

@Suite("From a log to a learned policy")
struct LearningPathTests {
  @Test("a cross-fitted model and a doubly robust tree find the best policy")
  func path() throws {
    let log = ContextualLog(4000, seed: 21)
    // Rewards are modelled from features of context and variant, without the unit's own fold.
    let map = try log.map("cross(country,old,variant)")
    let model = try RewardModelCatalog.standard.named("linear:lambda=0.1")
    var fitting = try CrossFitting(
      model, RewardProblem(slots: 1, variants: 3, columns: map.columnCount), folds: 3)
    repeat {
      for (unit, row) in log.rows.enumerated() {
        fitting.add(
          RewardRow(slot: 0, variant: row.chosen, reward: row.reward),
          ContextualLog.features(row, map)[row.chosen], unit: UInt64(unit))
      }
    } while try fitting.finishPass()
    let models = try fitting.models()
    // The policy sees features of the context alone.
    let problem = try log.problem("one-hot(country)+number(age)")
    let learner = try PolicyLearnerCatalog.standard.named("tree:objective=dr,depth=2")
    var decision = LearningDecision()
    decision.choices = [0, 1, 2]
    let policy = try learner.learn(problem) { learn in
      for (unit, row) in log.rows.enumerated() {
        (decision.chosen, decision.propensity, decision.reward) = (
          row.chosen, row.propensity, row.reward
        )
        decision.features = ContextualLog.features(row, problem.map)
        let model = models.model(for: UInt64(unit))
        decision.modelled = zip(0..., ContextualLog.features(row, map)).map {
          model.reward(of: $0, in: 0, $1)
        }
        learn(decision)
      }
    }
    #expect(log.value(policy) > 0.69)
    #expect(Set(testNames(policy.tree["tree"])).isSuperset(of: ["age", "country=fr"]))
  }

  private func testNames(_ tree: JSONTree?) -> [String] {
    guard let tree, case .text(let name)? = tree["name"] else { return [] }
    return [name] + testNames(tree["then"]) + testNames(tree["otherwise"])
  }
}
