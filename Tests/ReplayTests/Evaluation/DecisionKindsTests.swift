import Bandits
import Events
import TestSupport
import Testing

@testable import EventLog
@testable import OffPolicy
@testable import Replay
@testable import Specifications
@testable import Statistics

@Suite("Kinds of decisions")
struct DecisionKindsTests {
  private static func plan(_ features: FeatureSpecification = .standard) throws -> OffPolicyPlan {
    OffPolicyPlan(
      policies: [
        try TargetPolicyCatalog.standard.named("uniform") { _ throws(SpecificationError) in "" }
      ],
      estimators: try ["ips", "dr"].map { try EstimatorCatalog.standard.named($0) },
      rewardModel: LinearRewards(), features: features)
  }

  @Test(
    "are told apart by all but unit, time and reward, and propensities within kinds if not by them",
    arguments: UInt64(0)..<50, [false, true])
  func counts(seed: UInt64, distinguishesPropensities: Bool) {
    var random = SeededGenerator(seed: seed)
    var kinds = DecisionKinds(distinguishingPropensities: distinguishesPropensities)
    var naive: [[String]: (number: Int, count: Int)] = [:]
    var weighted: [[String]: (decisions: Int, rewarded: Int)] = [:]
    for _ in 0..<500 {
      let row = CreditedDecision(
        index: random.index(9), place: UInt32(random.index(2)), variant: UInt32(random.index(2)),
        situation: UInt32(random.index(2)),
        probabilities: [nil, 0, 1][random.index(3)], propensity: [0.25, 0.5][random.index(2)],
        reward: [0, 1, .infinity][random.index(3)], time: Int64(random.index(100)),
        value: UInt32(random.index(2)))
      let fold = random.index(2)
      let key = [
        "\(row.place)", "\(row.variant)", "\(row.situation)",
        "\(row.probabilities.map(String.init) ?? "")",
        "\(row.value)", "\(fold)", distinguishesPropensities ? "\(row.propensity)" : "",
      ]
      let expected = naive[key]?.number ?? naive.count
      let times = 1 + random.index(3)
      #expect(kinds.count(row, fold: fold, times: times) == expected, "seed \(seed)")
      naive[key, default: (expected, 0)].count += times
      let own = ["\(expected)", "\(row.propensity)"]
      weighted[own, default: (0, 0)].decisions += times
      if row.reward.isFinite { weighted[own, default: (0, 0)].rewarded += times }
      if random.chance(0.01) {
        Self.expect(kinds, weighted)
        weighted = [:]
        kinds.removeWeighted()
      }
    }
    for (number, count) in naive.values { #expect(kinds.counts[number].decisions == count) }
    Self.expect(kinds, weighted)
  }

  private static func expect(
    _ kinds: DecisionKinds, _ expected: [[String]: (decisions: Int, rewarded: Int)]
  ) {
    var count = 0
    for found in kinds.weighted {
      count += 1
      let wanted = expected[["\(found.kind)", "\(found.propensity)"]]
      #expect(wanted?.decisions == found.decisions && wanted?.rewarded == found.rewarded)
    }
    #expect(count == expected.count)
  }

  @Test("and propensities may be more than are kept at once", arguments: [false, true])
  func many(haveContexts: Bool) throws {
    let count = DecisionKinds.limit * 2 + 5
    var random = SeededGenerator(seed: 11)
    var events: [Event] = []
    var (weights, reward) = (ExactSum(), 0.0)
    for index in 0..<count {
      let propensity = Double(1 + random.index(1 << 30)) / 0x1p30
      let (unit, variant) = ("u\(index % 3_000)", index % 2 == 0 ? "a" : "b")
      var decision = Decision(
        experiment: "e", variant: VariantID(variant), propensity: propensity)
      if haveContexts { decision.context = ["n": .number(Double(index))] }
      events.append(event(Int64(2 * index), unit, .decision(decision)))
      weights.add(0.5 / propensity)
      guard index % 5 == 0 else { continue }
      events.append(goal(Int64(2 * index + 1), unit, 1))
      reward += 0.5 / propensity
    }
    for jobs in [1, 3] {
      let log = try WorldLog(events)
      let experiment = try #require(log.names.code(of: "e", in: .experiments))
      let evaluation = try LogReplay(log.reader, jobs: jobs).evaluate(
        UnitSelection(), experiment: experiment,
        Self.plan(haveContexts ? FeatureSpecification(parsing: "number(n)") : .standard))
      let tally = evaluation.policies[0]
      #expect(tally.weights.count == count && tally.support.decisions == count)
      #expect(tally.weights.mean == ExactSum.quotient(weights, count))
      #expect(evaluation.logging.places.reduce(0) { $0 + $1.inverses.count } == count)
      let value = try #require(tally.estimates[0].sums.value)
      #expect(abs(value - reward / Double(count)) <= 1e-9 * value)
    }
  }

  @Test("an attribute that no decision has is an error with the nearest name, read or not")
  func unknownAttribute() throws {
    var random = SeededGenerator(seed: 4)
    let log = try WorldLog(SmallWorld.situations(&random, count: 200))
    let experiment = try #require(log.names.code(of: "e0", in: .experiments))
    var unread = try Self.plan(FeatureSpecification(parsing: "number(vists)"))
    unread.estimators = [try EstimatorCatalog.standard.named("ips")]
    for plan in [try Self.plan(FeatureSpecification(parsing: "number(vists)")), unread] {
      let error = #expect(throws: SpecificationError.self) {
        try LogReplay(log.reader).evaluate(UnitSelection(), experiment: experiment, plan)
      }
      #expect(
        error?.description
          == "no decision of experiment \"e0\" has an attribute \"vists\" in its context; did you mean \"visits\"?"
      )
    }
  }
}
