import Bandits
import Events
import Specifications
import Statistics
import TestSupport
import Testing

@testable import EventLog
@testable import OffPolicy
@testable import Replay

@Suite("Off-policy evaluation of pages with slots, and of several logging policies")
struct PageEvaluationTests {
  private static let table = """
    device,variant,probability
    tv,v0,0.25
    tv,v2,0.75
    2,v1,1
    ,v0,0.5
    ,v1,0.5
    """

  private static let estimators = [
    "ips", "dr", "slate-ips", "slate-snips", "independent-ips", "independent-snips", "cascade-ips",
    "cascade-snips", "cascade-dr", "pseudo-inverse", "pseudo-inverse-sn", "balanced-ips", "mips",
    "multi-ips", "multi-balanced-ips", "multi-balanced-dr", "multi-weighted-ips",
    "multi-weighted-dr",
  ]

  /// The policies of the plan by their words.
  private static let policies: [(String, @Sendable (NaivePages.Row) -> [String: Double]?)] = [
    (
      "uniform",
      { row in Dictionary(row.choices.map { ($0, 1 / Double(row.choices.count)) }) { $1 } }
    ),
    (
      "weights:v0=1;v1=3;v2=1",
      { row in
        let weights = ["v0": 1.0, "v1": 3.0, "v2": 1.0].filter { row.choices.contains($0.key) }
        let sum = weights.values.reduce(0, +)
        return weights.mapValues { $0 / sum }
      }
    ),
    (
      "table:path=t.csv",
      { row in
        switch row.device {
        case .text("tv"): ["v0": 0.25, "v2": 0.75].filter { row.choices.contains($0.key) }
        case .number(2): ["v1": 1].filter { row.choices.contains($0.key) }
        case nil: ["v0": 0.5, "v1": 0.5].filter { row.choices.contains($0.key) }
        default: nil
        }
      }
    ),
  ]

  private func plan(_ estimators: [String] = Self.estimators) throws -> OffPolicyPlan {
    var plan = OffPolicyPlan(
      policies: try Self.policies.map {
        try TargetPolicyCatalog.standard.named($0.0) { _ throws(SpecificationError) in Self.table }
      },
      estimators: try estimators.map { try EstimatorCatalog.standard.named($0) },
      rewardModel: try TabularRewards { ($0.priorSum, $0.priorCount) = (1, 4) })
    plan.groups = try VariantGroups(csv: "variant,group\nv0,low\nv1,low\n", name: "groups.csv")
    return plan
  }

  private func evaluate(
    _ log: WorldLog, _ plan: OffPolicyPlan, _ form: ReplayForm = ReplayForm.all[0]
  ) throws -> Evaluation {
    try form.replay(log).evaluate(
      UnitSelection(), experiment: try #require(log.names.code(of: "e", in: .experiments)), plan)
  }

  private func expectSame(_ found: OffPolicySums, _ expected: OffPolicySums, _ what: String) {
    #expect(found.count == expected.count && found.units == expected.units, "\(what)")
    #expect(found.matched == expected.matched, "\(what)")
    for (a, b) in [
      (found.value, expected.value), (found.standardError, expected.standardError),
    ] {
      #expect((a == nil) == (b == nil), "\(what)")
      if let a, let b { #expect(abs(a - b) <= 1e-9 * (1 + abs(b)), "\(what): \(a), \(b)") }
    }
  }

  @Test(
    "is that of the definitions, for any order and number of threads", arguments: LongTests.chunks(40, of: 200))
  func values(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = pagesToEvaluate(&random)
    let naive = NaivePages(events)
    let plan = try plan()
    var first: [[OffPolicySums]]?
    for form in ReplayForm.all {
      let evaluation = try evaluate(try WorldLog(events, perFrame: form.perFrame), plan, form)
      #expect(evaluation.ledger.incomplete == naive.incomplete, "seed \(seed)")
      let found = evaluation.policies.map { $0.estimates.map(\.sums) }
      if let first {
        #expect(found.map { $0.map(\.value) } == first.map { $0.map(\.value) }, "seed \(seed)")
        continue
      }
      first = found
      for (policy, sums) in found.enumerated() {
        for (estimator, sums) in zip(plan.estimators, sums) {
          let what = "seed \(seed), \(Self.policies[policy].0), \(estimator.specification)"
          expectSame(sums, naive.sums(estimator, Self.policies[policy].1), what)
        }
      }
    }
  }

  @Test(
    "differences to a policy are those of the values, also of whole decisions", arguments: [0, 1])
  func versus(versus: Int) throws {
    var random = SeededGenerator(seed: 4)
    let log = try WorldLog(pagesToEvaluate(&random))
    var plan = try plan()
    plan.policies = Array(plan.policies.prefix(2))
    plan.versus = versus
    let evaluation = try evaluate(log, plan)
    let (policy, other) = (evaluation.policies[1 - versus], evaluation.policies[versus])
    for (index, difference) in policy.differences.enumerated() {
      let (own, others) = (policy.estimates[index].sums, other.estimates[index].sums)
      #expect((difference == nil) == !(own.estimator is any TermEstimator))
      guard let difference, let a = own.value, let b = others.value else { continue }
      #expect(difference.count == own.count, "\(own.estimator)")
      #expect(abs((difference.value ?? .nan) - (a - b)) < 1e-9, "\(own.estimator)")
    }
  }

  @Test("by slot it is that of the slot's decisions alone", arguments: UInt64(0)..<20)
  func slots(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = pagesToEvaluate(&random)
    let naive = NaivePages(events)
    var plan = try plan(["ips", "snips", "dr", "mips", "multi-weighted-ips", "slate-ips"])
    plan.dividesSlots = true
    for form in ReplayForm.all.prefix(2) {
      let evaluation = try evaluate(try WorldLog(events, perFrame: form.perFrame), plan, form)
      for (policy, tally) in evaluation.policies.enumerated() {
        let decided = naive.rows.filter { Self.policies[policy].1($0) != nil }
        #expect(tally.slots.count == Set(decided.map(\.place)).count, "seed \(seed)")
        for (number, slot) in tally.slots {
          let place = evaluation.places[Int(number)]
          for (estimator, estimate) in zip(plan.estimators, slot.estimates) {
            #expect((estimate == nil) == estimator.judgesWholeDecisions)
            guard let estimate else { continue }
            expectSame(
              estimate.sums,
              naive.sums(
                estimator, at: { $0 == [place.point, place.slot] }, Self.policies[policy].1),
              "seed \(seed), \(place), \(estimator.specification)")
          }
        }
      }
    }
  }

  @Test("too many estimates by slot are refused")
  func tooMany() throws {
    let events = (0..<60).map {
      decision($0, "u", "v0", slot: SlotID("s\($0)"), propensity: 0.5)
    }
    let log = try WorldLog(events)
    var plan = try plan()
    plan.dividesSlots = true
    plan.intervals = [try IntervalCatalog.standard.named("normal")]
    #expect(try evaluate(log, plan).policies[0].slots.count == 60)
    plan.estimators += plan.estimators
    #expect(
      throws: SpecificationError(
        "60 slots, 3 policies, 36 estimators and 1 intervals are too many estimates by slot; at "
          + "most 10000 fit, so name fewer policies, estimators or intervals, or leave out --per-slot"
      )
    ) { try evaluate(log, plan) }
  }

  @Test("with one slot, one logging policy and no groups, the estimators are IPS exactly")
  func plain() throws {
    var random = SeededGenerator(seed: 11)
    let events = (0..<200).map { index in
      decision(
        Int64(index), "u\(random.index(50))", "v\(random.index(3))",
        propensity: [0.2, 0.3, 0.5][random.index(3)], policy: "A")
    }
    let goals = (0..<60).map { goal(Int64(random.index(200)), "u\(random.index(50))", Double($0)) }
    var plan = try plan([
      "ips", "slate-ips", "independent-ips", "cascade-ips", "pseudo-inverse", "mips", "multi-ips",
      "multi-balanced-ips", "multi-weighted-ips",
    ])
    plan.policies = Array(plan.policies.prefix(2))
    plan.groups = VariantGroups()
    let evaluation = try evaluate(try WorldLog(events + goals), plan)
    for policy in evaluation.policies {
      let ips = try #require(policy.estimates[0].sums.value)
      for estimate in policy.estimates {
        #expect(
          estimate.sums.value == ips && estimate.sums.count == 200, "\(estimate.sums.estimator)")
      }
    }
  }

  @Test("balanced IPS estimates the propensities of a uniform policy, whatever was logged")
  func balanced() throws {
    var events: [Event] = []
    for index in 0..<300 {
      let (time, unit) = (Int64(2 * index), "u\(index)")
      events.append(decision(time, unit, "v\(index % 3)", propensity: 0.9))
      if index % 3 == 1 { events.append(goal(time + 1, unit, 6)) }
    }
    var plan = try plan(["balanced-ips", "ips"])
    plan.policies = Array(plan.policies.prefix(2))
    let evaluation = try evaluate(try WorldLog(events), plan)
    // v1 is worth 6, and chosen with 1/3 or 3/5.
    let values = evaluation.policies.compactMap { $0.estimates[0].sums.value }
    #expect(abs(values[0] - 2) < 1e-12 && abs(values[1] - 3.6) < 1e-12, "\(values)")
    let weights = evaluation.policies[0]
    #expect(abs((weights.weights(of: 0).mean ?? 0) - 1) < 1e-12)
    #expect(weights.weights(of: 1) == weights.weights)
  }

  @Test(
    "groups in a file that cannot be right are refused",
    arguments: [
      ("variant\nv0\n", "g.csv needs the columns variant and group; it has variant"),
      ("variant,group\nv0,\n", "g.csv, line 2: variant and group must not be empty"),
      (
        "variant,group\nv0,a\nv0,b\n",
        "g.csv, line 3: \"v0\" is in the group \"a\" already; remove one of the lines"
      ),
    ])
  func groups(text: String, message: String) {
    #expect(throws: SpecificationError(message)) { try VariantGroups(csv: text, name: "g.csv") }
  }
}
