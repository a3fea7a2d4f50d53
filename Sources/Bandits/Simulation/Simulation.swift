public import Specifications
internal import Statistics

/// Runs of a policy in an environment.
///
/// A run is a function of the seed, the specifications of environment and policy, the policy's warm start
/// (``PreparedPolicy/warmed(by:for:)``), and the run's number; threads, other policies and the order of the runs have
/// no effect.
public struct Simulation: Sendable {
  /// The environment.
  public let environment: any Environment
  /// The policy.
  public let policy: PreparedPolicy
  /// The horizon, checkpoints and batch size.
  public let rules: RunRules
  /// The seed of all randomness.
  public let seed: UInt64
  /// Whether all policies see the same rewards in the run of a given number.
  public let isPaired: Bool
  let loop: SimulationLoop

  /// Creates a simulation.
  public init(
    _ environment: any Environment, _ policy: PreparedPolicy, _ rules: RunRules, seed: UInt64,
    isPaired: Bool = true
  ) {
    self.environment = environment
    self.policy = policy
    self.rules = rules
    self.seed = seed
    self.isPaired = isPaired
    loop = SimulationLoop(rules)
  }

  /// The steps at which runs are measured.
  public var steps: [Int] { loop.steps }

  /// Checks that the policy supports the environment.
  ///
  /// - Throws: `SpecificationError` if it does not.
  public func check() throws(SpecificationError) {
    _ = try policy.makeState(environment.problem(horizon: rules.horizon))
  }

  /// Simulates a run.
  ///
  /// - Parameter number: The number of the run, from 0.
  /// - Returns: The outcome of the run.
  /// - Throws: `SpecificationError` if the policy does not support the environment.
  public func run(_ number: UInt64) throws(SpecificationError) -> RunOutcome {
    try policy.run(
      loop, makeEnvironmentRun(number), environment.problem(horizon: rules.horizon),
      makeRandom(number))
  }

  /// Starts the environment's run of a given number.
  func makeEnvironmentRun(_ number: UInt64) -> EnvironmentRun {
    var key = StreamKey(seed: seed)
    key.add("environment")
    key.add(environment.specification.description)
    if !isPaired { key.add(policy.specification.description) }
    key.add(number)
    return environment.makeRun(key, horizon: rules.horizon)
  }

  /// Returns the generator that the policy draws from in a run.
  func makeRandom(_ number: UInt64) -> Xoshiro256 {
    Xoshiro256(
      seed: seed,
      labels: [
        "policy", environment.specification.description, policy.specification.description,
      ], run: number)
  }
}
