import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("States that update their probabilities")
struct AllocatedTwinTests {
  @Test(
    "softmax and etc choose as the state that computes all probabilities at every decision",
    arguments: [
      "softmax", "softmax:temperature=0.01", "softmax:temperature=1e-9", "etc:pulls=3",
      "etc:pulls=20",
    ])
  func twins(text: String) throws {
    for seed in 0..<60 {
      switch try AllocationPolicies.named(text) {
      case let policy as Softmax: expectTwin(policy, seed: UInt64(seed))
      case let policy as ExploreThenCommit: expectTwin(policy, seed: UInt64(seed))
      default: Issue.record("\(text) has no state of its own")
      }
    }
  }

  private func expectTwin<P: AllocationPolicy>(_ policy: P, seed: UInt64) {
    var data = SeededGenerator(seed: seed)
    let problem = Problem(variants: 1 + data.index(9), horizon: 300, rewards: 0...1)
    guard var state = try? policy.makeState(problem) else { return }
    var naive = AllocatedState(policy, problem)
    var random = Xoshiro256(seed: seed)
    var twin = random
    var pending: [Choice] = []
    let isBatched = data.chance(0.3)
    for step in 0..<300 {
      if P.supportsUnavailableVariants, data.chance(0.02) {
        let available = (0..<problem.variants).map {
          $0 == step % problem.variants || data.chance(0.7)
        }
        state.offer(available)
        naive.offer(available)
      }
      let choice = state.choose(.none, &random)
      #expect(choice == naive.choose(.none, &twin), "seed \(seed), step \(step)")
      #expect(random == twin, "seed \(seed), step \(step)")
      pending.append(choice)
      if isBatched, pending.count < 5 { continue }
      for choice in pending {
        let reward = data.chance(0.01) ? -1e308 : data.chance(0.5) ? 1.0 : 0
        state.learn(choice, reward, .none)
        naive.learn(choice, reward, .none)
      }
      pending = []
    }
  }
}
