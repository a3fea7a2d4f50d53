import Foundation
import Statistics
import TestSupport
import Testing

@testable import Bandits

/// What the probabilities of a policy are by its paper, in as few lines as will do.
struct Twin {
  /// The probabilities of the next decision.
  var probabilities: () -> [Double]
  /// Learns the reward of a variant that had a probability.
  var learn: (_ variant: Int, _ probability: Double, _ reward: Double) -> Void
}

/// The state of a policy before its first decision.
func freshState(
  _ policy: String, variants: Int, horizon: Int = 1000
) throws -> any PolicyState {
  let problem = Problem(variants: variants, horizon: horizon, rewards: 0...1)
  return try Policies.named(policy, variants: (1...variants).map(String.init)).makeState(problem)
}

/// Drives a policy with rewards of which some come late and some never, and gives its choices. `observe` is told of each
/// choice, and of each reward when it is learned.
@discardableResult
func wander(
  _ start: any PolicyState, steps: Int, seed: UInt64, late: Double = 0.2,
  reward: (_ step: Int, _ variant: Int) -> Double,
  observe: (_ state: any PolicyState, _ choice: Choice, _ reward: Double?) -> Void = { _, _, _ in }
) -> [Choice] {
  var state = start
  var random = Xoshiro256(seed: seed)
  var fate = SeededGenerator(seed: seed)
  var pending: [(choice: Choice, reward: Double)] = []
  var choices: [Choice] = []
  for step in 0..<steps {
    let choice = state.choose(.none, &random)
    choices.append(choice)
    observe(state, choice, nil)
    if !fate.chance(late / 10) { pending.append((choice, reward(step, choice.variant))) }
    guard !fate.chance(late) else { continue }
    for item in pending.shuffled(using: &fate) {
      observe(state, item.choice, item.reward)
      state.learn(item.choice, item.reward, .none)
    }
    pending = []
  }
  return choices
}

/// A reward of 0, 1 or between, better for later variants.
func mixedReward(_ seed: UInt64) -> (Int, Int) -> Double {
  { step, variant in
    var generator = SeededGenerator(seed: seed &+ UInt64(step * 64 + variant))
    if generator.chance(0.3) { return Double.random(in: 0...1, using: &generator) }
    return generator.chance(0.2 + 0.1 * Double(variant)) ? 1 : 0
  }
}

let areLongRunsWanted = LongTests.areWanted
