import Bandits
import Plots
import Tables
import Testing

@testable import Simulations

/// A small plan: two environments and three policies.
func smallPlan(runs: Int = 8, isPaired: Bool = true) -> SimulationPlan {
  SimulationPlan(
    environments: ["bernoulli:means=0.2;0.5;0.8", "bernoulli:means=0.4;0.5"],
    policies: ["thompson", "ucb1", "epsilon-greedy:epsilon=0.2"],
    rules: RunRules(horizon: 200), runs: runs, seed: 7, isPaired: isPaired)
}

/// The tables of a plan as CSV, one after the other.
func text(_ plan: SimulationPlan, _ store: OutcomeStore) throws -> String {
  let tables = try SimulationTables(PreparedPlan(plan), store)
  return try [
    tables.regret(), tables.variants(), tables.ranking(), tables.differences(),
    tables.recommendations(), tables.times(to: 5),
  ].map { String(decoding: Tables.write($0, as: .csv, options: TableOptions()), as: UTF8.self) }
    .joined() + RegretPlot(tables).files(path: "plot.svg").map(\.text).joined()
}

/// All runs of a plan.
func simulated(
  _ plan: SimulationPlan, jobs: Int = 2, shard: Shard = .whole
) throws -> OutcomeStore {
  var store = OutcomeStore(plan)
  try SimulationRunner(PreparedPlan(plan), shard: shard, jobs: jobs).run(&store)
  return store
}

@Suite("Running a plan")
struct SimulationRunnerTests {
  @Test("steps for plots alone make curves smooth, and change no table")
  func curves() throws {
    let plan = smallPlan()
    var dense = plan
    dense.recordCurves()
    #expect(dense.steps.count > 80 && Set(dense.steps).isSuperset(of: plan.steps))
    #expect(dense.tableSteps.map(\.step) == plan.steps)
    let tables = try [plan, dense].map { try SimulationTables(PreparedPlan($0), simulated($0)) }
    #expect(try tables[0].regret() == tables[1].regret())
    #expect(try tables[0].times(to: 5) == tables[1].times(to: 5))
    #expect(try tables[0].variants() == tables[1].variants())
    let figures = tables.map { RegretPlot($0).figures }
    #expect(figures[1].map(\.name) == ["regret", "regret_final"])
    #expect(figures[1][0].svg.count > figures[0][0].svg.count + 20_000)
    #expect(figures[1][1] == figures[0][1])
    for policy in plan.policies { #expect(figures[0][1].svg.contains(policy)) }
  }

  @Test("a plan with checkpoints of its own keeps them, and so does one that is too large")
  func givenCheckpoints() {
    var given = smallPlan()
    given.rules.checkpoints = .linear(3)
    let large = smallPlan(runs: 100_000)
    for plan in [given, large] {
      var dense = plan
      dense.recordCurves()
      #expect(dense.steps == plan.steps)
    }
  }

  @Test("any number of threads gives the same bytes", arguments: [1, 2, 7])
  func jobs(jobs: Int) throws {
    let plan = smallPlan()
    #expect(
      try text(plan, simulated(plan, jobs: jobs)) == text(plan, simulated(plan, jobs: 1)))
  }

  @Test("policies start from the warm start of each environment")
  func warmStart() throws {
    var plan = smallPlan(runs: 3)
    plan.warmStart = "log:path=shop,experiment=button"
    #expect(throws: PlanError.self) { try PreparedPlan(plan) }
    let none = try PreparedPlan(plan, makeWarmStart: { _, _ in nil })
    let warm = try PreparedPlan(
      plan,
      makeWarmStart: { text, environment in
        #expect(text == plan.warmStart)
        // The last variant looks worst beyond doubt.
        let variants = environment.variantNames.count
        return WarmStart(
          (0..<3000).map {
            .init(variant: $0 % variants, reward: $0 % variants == variants - 1 ? 0 : 1)
          })
      })
    var (cold, learned) = (OutcomeStore(plan), OutcomeStore(plan))
    try SimulationRunner(none, jobs: 2).run(&cold)
    try SimulationRunner(warm, jobs: 2).run(&learned)
    for pair in [0, 1, 3, 4] {
      #expect(learned.outcomes(of: pair).allSatisfy { $0.choices.last == 0 }, "pair \(pair)")
      #expect(cold.outcomes(of: pair).allSatisfy { ($0.choices.last ?? 0) > 0 }, "pair \(pair)")
    }
    #expect(throws: PlanError.self) {
      try PreparedPlan(plan, makeWarmStart: { _, _ in WarmStart([.init(variant: 9, reward: 0)]) })
    }
  }

  @Test("a policy's runs do not depend on what else is simulated, or in which order")
  func otherPolicies() throws {
    let plan = smallPlan()
    var alone = plan
    alone.policies = ["ucb1"]
    var turned = plan
    turned.policies.reverse()
    turned.environments.reverse()
    let all = try simulated(plan)
    let one = try simulated(alone)
    let other = try simulated(turned)
    for environment in 0..<2 {
      #expect(one.outcomes(of: environment) == all.outcomes(of: environment * 3 + 1))
      #expect(other.outcomes(of: (1 - environment) * 3 + 1) == one.outcomes(of: environment))
    }
  }

  @Test("policies see the same rewards of a run, unless they are not to")
  func paired() throws {
    var plan = SimulationPlan(
      environments: ["bernoulli:means=0.5;0.5"],
      policies: ["fixed:variant=1", "weights:values=1;0"], rules: RunRules(horizon: 500), runs: 4)
    let same = try simulated(plan)
    plan.isPaired = false
    let own = try simulated(plan)
    for run in 0..<4 {
      #expect(same[0, run]?.points.last?.reward == same[1, run]?.points.last?.reward)
    }
    #expect((0..<4).contains { own[0, $0]?.points != own[1, $0]?.points })
  }

  @Test("shards are disjoint parts that make up the whole", arguments: [1, 2, 3, 7, 64])
  func shards(count: Int) throws {
    let plan = smallPlan()
    var together = OutcomeStore(plan)
    for number in 1...count {
      let part = try simulated(plan, shard: try #require(Shard("\(number)/\(count)")))
      for pair in 0..<6 {
        for run in 0..<plan.runs {
          guard let outcome = part[pair, run] else { continue }
          let isNew = together.add(outcome, pair: pair, run: run)
          #expect(isNew)
        }
      }
    }
    #expect(try text(plan, together) == text(plan, simulated(plan)))
  }

  @Test("invalid parts are rejected", arguments: ["0/2", "3/2", "1", "1/2/3", "a/b", "1/0", ""])
  func notAShard(text: String) {
    #expect(Shard(text) == nil)
  }

  @Test("a table of an incomplete plan names a missing run")
  func missing() throws {
    let plan = smallPlan()
    let store = try simulated(plan, shard: try #require(Shard("1/2")))
    let error = #expect(throws: PlanError.self) { try SimulationTables(PreparedPlan(plan), store) }
    #expect(
      error?.description.hasPrefix(
        "run 1 of thompson in bernoulli:means=0.2;0.5;0.8 is missing, and 23 more") == true)
  }

  @Test("an error in finishing a run ends the others and comes out")
  func failing() throws {
    struct Stop: Error {}
    let plan = smallPlan()
    var store = OutcomeStore(plan)
    #expect(throws: Stop.self) {
      try SimulationRunner(PreparedPlan(plan), jobs: 2).run(&store) { _, _, run in
        if run == 3 { throw Stop() }
      }
    }
  }
}
