public import Statistics

/// A policy in an environment, run as often as is asked for.
///
/// A run is a function of the seed, how environment and policy are written, what the policy learned before
/// (``PreparedPolicy/warmed(by:for:)``), and its number: neither threads nor other policies nor the order of the runs show
/// in it.
public struct Simulation: Sendable {
  /// Where rewards come from.
  public let environment: any Environment
  /// What chooses.
  public let policy: PreparedPolicy
  /// How runs are made.
  public let rules: RunRules
  /// What all randomness follows from.
  public let seed: UInt64
  /// Whether all policies see the same rewards of a run.
  public let isPaired: Bool
  let loop: SimulationLoop

  /// Describes a simulation.
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

  /// The steps at which runs are looked at.
  public var steps: [Int] { loop.steps }

  /// Sees to it that the policy is one for this environment.
  ///
  /// - Throws: `SpecificationError` when it is not.
  public func check() throws(SpecificationError) {
    _ = try policy.makeState(environment.problem(horizon: rules.horizon))
  }

  /// Makes a run.
  ///
  /// - Parameter number: Its number, from 0.
  /// - Returns: What became of it.
  /// - Throws: `SpecificationError` when the policy is not for this environment.
  public func run(_ number: UInt64) throws(SpecificationError) -> RunOutcome {
    try policy.run(
      loop, makeEnvironmentRun(number), policy.start,
      environment.problem(horizon: rules.horizon), makeRandom(number))
  }

  /// The rewards of a run.
  func makeEnvironmentRun(_ number: UInt64) -> EnvironmentRun {
    var key = StreamKey(seed: seed)
    key.add("environment")
    key.add(environment.specification.description)
    if !isPaired { key.add(policy.specification.description) }
    key.add(number)
    return environment.makeRun(key, horizon: rules.horizon)
  }

  /// What the policy draws from in a run.
  func makeRandom(_ number: UInt64) -> Xoshiro256 {
    Xoshiro256(
      seed: seed,
      labels: [
        "policy", environment.specification.description, policy.specification.description,
      ], run: number)
  }
}
