internal import Bandits
internal import Statistics

extension SelfTest {
  /// A mean regret that is known, or was simulated elsewhere.
  private struct Reference {
    var policy: String
    var environment: String
    var horizon: Int
    var runs: Int
    var mean: Double
    var error: Double
    var source: String
  }

  /// Checks mean regrets, which must agree within four combined standard errors.
  static func regretChecks() throws -> [Check] {
    let table = "2,000 runs of a program of its own"
    let b6 = "bernoulli:means=0.9;0.6"
    let b1 = "bernoulli:means=0.1;0.2;0.3;0.4;0.5;0.6;0.7;0.8;0.9"
    let references = [
      Reference(
        policy: "ucb1", environment: b6, horizon: 1_000, runs: 400, mean: 23.52, error: 0.14,
        source: table),
      Reference(
        policy: "ucb:alpha=1", environment: b6, horizon: 1_000, runs: 400, mean: 8.19, error: 0.10,
        source: table),
      Reference(
        policy: "thompson", environment: b6, horizon: 1_000, runs: 400, mean: 3.95, error: 0.07,
        source: table),
      Reference(
        policy: "kl-ucb", environment: b6, horizon: 1_000, runs: 400, mean: 5.16, error: 0.16,
        source: table),
      Reference(
        policy: "moss", environment: b6, horizon: 1_000, runs: 400, mean: 9.43, error: 0.10,
        source: table),
      Reference(
        policy: "epsilon-greedy:epsilon=0.1", environment: b6, horizon: 1_000, runs: 400,
        mean: 16.99, error: 0.13, source: table),
      Reference(
        policy: "exp3:gamma=0.05", environment: b6, horizon: 1_000, runs: 400, mean: 38.11,
        error: 0.29, source: table),
      Reference(
        policy: "thompson", environment: b1, horizon: 1_000, runs: 200, mean: 29.06, error: 0.25,
        source: table),
      Reference(
        policy: "uniform", environment: b1, horizon: 1_000, runs: 200, mean: 400, error: 0,
        source: "mean gap times steps"),
      Reference(
        policy: "etc:pulls=100", environment: b1, horizon: 900, runs: 3, mean: 360, error: 1e-9,
        source: "the sum of gaps times pulls, exactly"),
      Reference(
        policy: "etc:pulls=100", environment: "gaussian:means=0.2;0", horizon: 1_000, runs: 400,
        mean: 32.583937, error: 0, source: "m Δ + (n - 2m) Δ Φ(-Δ √(m/2))"),
    ]
    return try references.map(check)
  }

  private static func check(_ reference: Reference) throws -> Check {
    let environment = try Environments.named(reference.environment)
    let simulation = Simulation(
      environment, try Policies.named(reference.policy, variants: environment.variantNames),
      RunRules(horizon: reference.horizon, checkpoints: .given([])), seed: 1)
    var regrets = Moments()
    for run in 0..<reference.runs {
      regrets.add(try simulation.run(UInt64(run)).points.last?.regret ?? .nan)
    }
    let ours = regrets.standardError ?? 0
    let error = (reference.error * reference.error + ours * ours).squareRoot()
    return Check(
      "\(reference.policy) in \(reference.environment): regret after \(reference.horizon) decisions",
      reference.mean, regrets.mean ?? .nan, within: 4 * error, reference.source)
  }
}
