import Specifications
import Statistics
import TestSupport

@testable import Bandits

/// Rewards by variant and by how often it was chosen before, without ties between sums.
struct RewardTable {
  var rewards: [[Double]]

  init(variants: Int, steps: Int, _ random: inout SeededGenerator, isBinary: Bool = false) {
    rewards = (0..<variants).map { _ in
      let mean = Double.random(in: 0.1...0.9, using: &random)
      return (0..<steps).map { _ in
        let u = Double.random(in: 0..<1, using: &random)
        return isBinary ? (u < mean ? 1 : 0) : (mean + u) / 2
      }
    }
  }
}

/// One step of a policy.
struct Played {
  var choice: Choice
  var reward: Double
}

/// Plays a policy in a table, each reward told at once.
func play<S: PolicyState>(
  _ state: inout S, _ table: RewardTable, steps: Int, seed: UInt64,
  _ check: (Choice, [[Double]]) -> Void = { _, _ in }
) -> [Played] {
  var random = Xoshiro256(seed: seed)
  var seen = table.rewards.map { _ in [Double]() }
  return (0..<steps).map { _ in
    let choice = state.choose(.none, &random)
    check(choice, seen)
    let reward = table.rewards[choice.variant][seen[choice.variant].count]
    seen[choice.variant].append(reward)
    state.learn(choice, reward, .none)
    return Played(choice: choice, reward: reward)
  }
}

extension [Double] {
  var plainMean: Double { reduce(0, +) / Double(count) }
  var places: [Int] { Array<Int>(indices) }
}

/// The state of a policy as it is written.
func state<P: Policy>(_ type: P.Type, _ text: String, _ problem: Problem) throws -> P.State {
  try P(try Specification(parsing: text), variants: []).makeState(problem)
}
