public import Specifications

/// A simulator of one policy in one environment.
///
/// ```swift
/// let simulator = Simulator(Thompson(), try BernoulliEnvironment { $0.means = [0.1, 0.9] })
/// let runs = try simulator.run(horizon: 1000, runs: 100, seed: 7)
/// print(runs.summary.regret?.mean ?? 0)
/// ```
///
/// Results depend only on the specifications of policy and environment, the seed and the options, and equal those of
/// `bandolier simulate` with the same settings. Runs are simulated one after the other on the calling thread;
/// ``Simulation`` simulates any run by number, on any thread.
public struct Simulator: Sendable {
  /// The environment.
  public let environment: any Environment
  /// The policy.
  public let policy: PreparedPolicy

  /// Creates a simulator of a policy in an environment.
  ///
  /// - Parameters:
  ///   - policy: A built-in or custom policy.
  ///   - environment: A built-in or custom environment.
  public init(_ policy: some Policy, _ environment: any Environment) {
    self.init(PreparedPolicy(policy), environment)
  }

  /// Creates a simulator of a policy that was made from a specification.
  public init(_ policy: PreparedPolicy, _ environment: any Environment) {
    self.policy = policy
    self.environment = environment
  }

  /// Runs the policy.
  ///
  /// - Parameters:
  ///   - horizon: The number of decisions in a run, at least 1.
  ///   - runs: The number of runs, at least 1.
  ///   - seed: The seed of all random numbers.
  ///   - checkpoints: The steps at which each run is measured.
  ///   - batch: The number of decisions after which the policy learns their rewards; 1 for immediate rewards.
  ///   - warmStart: Rewards that the policy learns before the first decision of each run.
  /// - Returns: The outcome of each run, in order.
  /// - Throws: `SpecificationError` if the policy does not support the environment or the warm start.
  /// - Complexity: O(`horizon` · `runs`) decisions.
  public func run(
    horizon: Int, runs: Int = 1, seed: UInt64 = 0, checkpoints: Checkpoints = .logarithmic,
    batch: Int = 1, warmStart: WarmStart? = nil
  ) throws(SpecificationError) -> SimulatedRuns {
    precondition(horizon >= 1 && runs >= 1 && batch >= 1, "horizon, runs and batch start at 1")
    var policy = policy
    if let warmStart {
      policy = try policy.warmed(by: warmStart, for: environment.problem(horizon: horizon))
    }
    let simulation = Simulation(
      environment, policy, RunRules(horizon: horizon, checkpoints: checkpoints, batch: batch),
      seed: seed)
    var outcomes: [RunOutcome] = []
    for number in 0..<UInt64(runs) { outcomes.append(try simulation.run(number)) }
    return SimulatedRuns(outcomes: outcomes, steps: simulation.steps)
  }
}

/// The outcomes of several runs of one policy in one environment.
public struct SimulatedRuns: Sendable, Hashable {
  /// The outcome of each run, by number.
  public let outcomes: [RunOutcome]
  /// The steps at which the runs were measured, ascending; the last one is the horizon.
  public let steps: [Int]

  /// The mean, standard error and quantiles over the runs at each of ``steps``.
  public var summaries: [OutcomeSummary] {
    steps.indices.map { OutcomeSummary(outcomes, at: $0, step: steps[$0]) }
  }

  /// The mean, standard error and quantiles over the runs at the horizon.
  public var summary: OutcomeSummary {
    OutcomeSummary(outcomes, at: steps.count - 1, step: steps[steps.count - 1])
  }
}
