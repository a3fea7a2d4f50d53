import Bandits
import Simulations

/// The cost of simulations: single policies on one thread, index policies and their kin on problems of three kinds and
/// sizes, the same plan on one thread and on two, and a plan of many policies on all of them.
struct SimulateSteps {
  let seed: UInt64

  static let nineArms = "bernoulli:means=0.1;0.2;0.3;0.4;0.5;0.6;0.7;0.8;0.9"
  static let horizon = 10_000
  /// The same plan by the number of its threads.
  static let (oneJob, twoJobs) = ("simulate, 4 policies, 1 job", "simulate, 4 policies, 2 jobs")

  func steps() throws -> [Step] {
    try [
      policy("ucb1", runs: 2_500), policy("epsilon-greedy", runs: 6_000),
      policy("thompson", runs: 400), policy("kl-ucb", runs: 200),
      policy("linucb", in: "linear:variants=9,features=10", runs: 130),
      policy("linucb", in: "linear:variants=9,features=50", runs: 10, note: ", 50 features"),
      plan(Self.oneJob, Self.fourPolicies, runs: 150, jobs: 1),
      plan(Self.twoJobs, Self.fourPolicies, runs: 150, jobs: 2),
      plan("simulate, 20 policies, 4 environments, all cores", Self.twentyPolicies, runs: 200),
    ] + cells()
  }

  /// Few runs of each policy on each problem and number of variants.
  private func cells() throws -> [Step] {
    try Self.cellPolicies.flatMap { name in
      try SimulationProblem.allCases.flatMap { problem in
        try SimulationProblem.sizes.map { size in
          try policy(
            name, in: problem.environment(size), runs: 20,
            note: ", \(problem.rawValue), \(size) variants")
        }
      }
    }
  }

  /// Runs of one policy on this thread, one after the other. Its events are the steps.
  private func policy(
    _ name: String, in environment: String = nineArms, runs: Int, note: String = ""
  ) throws -> Step {
    let policy = try MeasuredPolicy(
      name, in: environment, horizon: Self.horizon, runs: runs, seed: seed)
    return Step(name: "simulate, \(name)\(note)", events: runs * Self.horizon) {
      try policy.run().took
    }
  }

  private func plan(
    _ name: String, _ plan: (environments: [String], policies: [String]), runs: Int,
    jobs: Int? = nil
  ) throws -> Step {
    let prepared = try PreparedPlan(
      SimulationPlan(
        environments: plan.environments, policies: plan.policies,
        rules: RunRules(horizon: Self.horizon), runs: runs, seed: seed))
    let runner = SimulationRunner(prepared, jobs: jobs)
    return Step(name: name, events: runner.runCount * Self.horizon) {
      var store = OutcomeStore(prepared.plan)
      return try Measurement { try runner.run(&store) }
    }
  }

  /// Index policies, and those that are measured by them.
  private static let cellPolicies = [
    "ucb1", "ucb1-tuned", "ucb-v", "moss", "kl-ucb", "kl-ucb-plus", "kl-ucb++", "imed", "bayes-ucb",
    "thompson", "softmax", "etc", "floor:policy=(ucb1)", "floor:policy=(kl-ucb)",
  ]

  private static let fourPolicies = (
    environments: [nineArms], policies: ["ucb1", "epsilon-greedy", "thompson", "kl-ucb"]
  )

  /// The policies that papers on stationary rewards compare, for many, few, rare, and continuous rewards in 0 ... 1.
  private static let twentyPolicies = (
    environments: [
      nineArms, "bernoulli:means=0.9;0.6",
      "bernoulli:means=0.1;0.05;0.05;0.05;0.02;0.02;0.02;0.01;0.01;0.01",
      "beta:means=0.3;0.4;0.5;0.6;0.7,concentration=2",
    ],
    policies: [
      "epsilon-greedy", "epsilon-decreasing", "softmax", "gradient", "etc", "ucb1", "ucb",
      "ucb1-tuned", "ucb-v", "moss", "kl-ucb", "kl-ucb-plus", "kl-ucb++", "imed", "dmed",
      "bayes-ucb", "besa", "thompson", "exp3", "tsallis-inf",
    ]
  )
}

/// Runs of one policy in one environment, on this thread.
struct MeasuredPolicy {
  private let simulation: Simulation
  private let runs: Int

  /// - Throws: `SpecificationError` if one of them is unknown, or does not support the other.
  init(
    _ policy: String, in environment: String, horizon: Int, runs: Int, seed: UInt64
  ) throws {
    let environment = try Environments.named(environment)
    simulation = Simulation(
      environment, try Policies.named(policy, variants: environment.variantNames),
      RunRules(horizon: horizon), seed: seed)
    self.runs = runs
    try simulation.check()
  }

  /// Makes the runs.
  ///
  /// - Returns: The measurement, and the regret of each run after all steps.
  func run() throws -> (took: Measurement, regrets: [Double]) {
    var regrets: [Double] = []
    let took = try Measurement {
      for number in 0..<runs {
        let outcome = try simulation.run(UInt64(number))
        regrets.append(outcome.points.last?.regret ?? 0)
      }
    }
    return (took, regrets)
  }
}
