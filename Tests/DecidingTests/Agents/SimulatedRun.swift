import Synchronization

@testable import Bandits

/// A recorded run of three Bernoulli variants, and the random words that it drew by.
struct SimulatedRun {
  struct Decision {
    var variant: Int
    var propensity: Double
    var probabilities: [Double]
    var reward = 0.0
  }

  private(set) var decisions: [Decision] = []
  /// The simulator takes one word for each decision.
  private(set) var words: [UInt64] = []

  init(_ policy: String, number: UInt64, horizon: Int) throws {
    let world = try Environments.named("bernoulli:means=0.3;0.5;0.6")
    let simulation = Simulation(
      world, try Policies.named(policy, variants: ["a", "b", "c"]), RunRules(horizon: horizon),
      seed: 7)
    let found = Mutex<[Decision]>([])
    _ = try simulation.record(number) { event in
      found.withLock { decisions in
        switch event {
        case .decision(_, let choice, let probabilities, _):
          decisions.append(
            Decision(
              variant: choice.variant, propensity: choice.propensity,
              probabilities: probabilities ?? []))
        case .reward(let step, let reward, _): decisions[step].reward = reward
        }
      }
    }
    decisions = found.withLock { $0 }
    var random = simulation.makeRandom(number)
    words = decisions.map { _ in random.next() }
  }
}

/// Random words by the number of the decision: one that needs none leaves the others where they are.
final class StepWords: RandomNumberGenerator, Sendable {
  private let words: [UInt64]
  private let step = Mutex(-1)

  init(_ words: [UInt64]) { self.words = words }

  /// Goes on to the next decision.
  func goOn() { step.withLock { $0 += 1 } }

  func next() -> UInt64 { step.withLock { words[$0] } }
}
