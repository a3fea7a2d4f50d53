import Bandits
import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import EventLog
@testable import OffPolicy
@testable import Replay

@Suite("Learning policies, replayed over a log")
struct LearningPolicyReplayTests {
  /// A log of one experiment in which each unit has one decision, of rewards that only depend on the variant.
  private func events(
    _ count: Int, _ means: [Double], _ propensities: [Double], _ random: inout SeededGenerator
  ) -> [Event] {
    var events: [Event] = []
    for index in 0..<count {
      let variant = Draw.index(weights: propensities, using: &random)
      events.append(
        decision(
          Int64(10 * index), "u\(index)", "v\(variant)", propensity: propensities[variant]))
      if Draw.bernoulli(means[variant], using: &random) {
        events.append(goal(Int64(10 * index + 1), "u\(index)", 1))
      }
    }
    return events
  }

  private func tally(
    _ log: WorldLog, _ policy: String, runs: Int = 1, jobs: Int = 1, seed: UInt64 = 1
  ) throws -> LearningPolicyTally {
    let experiment = try #require(log.names.code(of: "e", in: .experiments))
    let plan = OffPolicyPlan(
      policies: [], learningPolicies: [try ReplayedPolicy(Specification(parsing: policy))],
      runs: runs, seed: seed, estimators: [],
      intervals: [try IntervalCatalog.standard.named("normal")],
      rewardModel: TabularRewards())
    let evaluation = try LogReplay(log.reader, jobs: jobs).evaluate(
      UnitSelection(), experiment: experiment, plan)
    return try #require(evaluation.learningPolicies.first)
  }

  @Test("under a uniform logger every decision on which the policy agrees counts")
  func uniformLogger() throws {
    var random = SeededGenerator(seed: 7)
    let log = try WorldLog(events(3_000, [0.1, 0.7], [0.5, 0.5], &random))
    let found = try tally(log, "fixed:variant=v1")
    #expect(found.agreed == found.accepted)
    #expect(found.floor == 0.5)
    #expect(found.estimate.sums.count == 3_000)
    #expect(found.estimate.sums.matched == found.accepted)
    #expect(abs(try #require(found.estimate.sums.value) - 0.7) < 0.05)
  }

  @Test(
    "rejection makes up for a logger that prefers a variant", arguments: UInt64(0)..<10)
  func rejection(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = 4_000
    let log = try WorldLog(events(count, [0.2, 0.8], [0.9, 0.1], &random))
    let found = try tally(log, "uniform", runs: 5, seed: seed)
    #expect(found.floor == 0.1)
    #expect(found.belowFloor == 0)
    // Each decision is accepted with probability floor.
    let expected = 5 * Double(count) * 0.1
    #expect(abs(Double(found.accepted) - expected) < 6 * expected.squareRoot(), "seed \(seed)")
    let value = try #require(found.estimate.sums.value)
    let error = try #require(found.estimate.sums.standardError)
    #expect(abs(value - 0.5) < 5 * error, "seed \(seed)")
    // With a floor above the least propensity, the preferred variant is accepted too often.
    let biased = try tally(log, "replay:policy=(uniform),floor=0.9", runs: 5, seed: seed)
    #expect(biased.agreed == biased.accepted)
    #expect(biased.belowFloor > 0)
    #expect(try #require(biased.estimate.sums.value) < 0.4)
  }

  @Test("is that of a policy that sees the decisions one by one", arguments: UInt64(0)..<20)
  func naive(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = events(300, [0.3, 0.5, 0.6], [0.5, 0.25, 0.25], &random)
    let log = try WorldLog(events)
    let found = try tally(log, "ucb1", seed: seed)
    var state = try PolicyCatalog.standard.named("ucb1", variants: ["v0", "v1", "v2"])
      .makeState(Problem(variants: 3, horizon: 300, rewards: 0...1))
    var choices = Xoshiro256(seed: seed, labels: ["replay", "ucb1", "choices"], run: 0)
    var acceptance = Xoshiro256(seed: seed, labels: ["replay", "ucb1", "acceptance"], run: 0)
    var (agreed, accepted, sum) = (0, 0, 0.0)
    for event in events {
      guard case .decision(let decision) = event.payload else { continue }
      let rewarded = events.contains {
        if case .goal = $0.payload { $0.unit == event.unit } else { false }
      }
      let choice = state.choose(.none, &choices)
      guard "v\(choice.variant)" == decision.variant.rawValue else { continue }
      agreed += 1
      let propensity = decision.propensity ?? 1
      if propensity > 0.25, Draw.unit(using: &acceptance) >= 0.25 / propensity { continue }
      accepted += 1
      sum += rewarded ? 1 : 0
      state.learn(choice, rewarded ? 1 : 0, .none)
    }
    #expect(found.agreed == agreed, "seed \(seed)")
    #expect(found.accepted == accepted, "seed \(seed)")
    #expect(found.estimate.sums.value == (accepted > 0 ? sum / Double(accepted) : nil))
  }

  @Test("the number of threads changes nothing")
  func threads() throws {
    var random = SeededGenerator(seed: 3)
    let log = try WorldLog(events(500, [0.2, 0.6], [0.5, 0.5], &random))
    let one = try tally(log, "thompson", runs: 4)
    let four = try tally(log, "thompson", runs: 4, jobs: 4)
    #expect(one.estimate == four.estimate)
    #expect(one.agreed == four.agreed)
  }

  @Test("a policy that needs a context or unit rewards says so")
  func refusals() throws {
    var random = SeededGenerator(seed: 3)
    let log = try WorldLog(events(50, [0.2, 0.6], [0.5, 0.5], &random))
    #expect(throws: SpecificationError.self) { try tally(log, "linucb") }
    let large = try WorldLog([
      decision(1, "a", "v0", propensity: 0.5), goal(2, "a", 3),
      decision(3, "b", "v1", propensity: 0.5),
    ])
    #expect(throws: SpecificationError.self) { try tally(large, "thompson") }
  }
}
