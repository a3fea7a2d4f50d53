@testable import Bandits

/// The problems of BANDITS 2.2.
enum Problems {
  static let b1 = "bernoulli:means=0.1;0.2;0.3;0.4;0.5;0.6;0.7;0.8;0.9"
  static let b2 = "bernoulli:means=0.01;0.02;0.3;0.4;0.5;0.6;0.795;0.8;0.805"
  static let b3 = "bernoulli:means=0.01;0.01;0.01;0.02;0.02;0.02;0.05;0.05;0.1"
  static let b4 = "bernoulli:means=0.9;0.8;0.7"
  static let b5 = "bernoulli:means=0.5;0.5;0.5;0.5;0.5;0.5;0.5;0.5;0.5;0.6"
  static let b6 = "bernoulli:means=0.9;0.6"
}

/// Runs of a policy in an environment, with seed 1.
func outcomes(
  _ policy: String, _ environment: String, horizon: Int, runs: Int,
  checkpoints: Checkpoints = .logarithmic, batch: Int = 1, seed: UInt64 = 1
) throws -> [RunOutcome] {
  let world = try Environments.named(environment)
  let simulation = Simulation(
    world, try Policies.named(policy, variants: world.variantNames),
    RunRules(horizon: horizon, checkpoints: checkpoints, batch: batch), seed: seed)
  return try (0..<runs).map { try simulation.run(UInt64($0)) }
}

/// The mean of a number of each run, and its standard error.
func mean(
  _ outcomes: [RunOutcome], _ number: (RunOutcome) -> Double
) -> (mean: Double, error: Double) {
  let values = outcomes.map(number)
  let n = Double(values.count)
  let mean = values.reduce(0, +) / n
  let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  return (mean, (squares / (n - 1) / n).squareRoot())
}
