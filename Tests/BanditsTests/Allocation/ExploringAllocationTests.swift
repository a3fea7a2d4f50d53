import Bandits
import Testing

@Suite("Softmax, and exploring before committing")
struct ExploringAllocationTests {
  private func probabilities(_ text: String, _ arms: [ArmTally]) throws -> [Double] {
    try AllocationPolicies.named(text).allocation(over: arms).probabilities
  }

  @Test("softmax weights by the exponential of the mean, which is 0 before the first decision")
  func softmax() throws {
    let arms = [arm(1, of: 2), arm(0, of: 0), arm(1, of: 4)]
    let weights = [2.5, 0, 1.25].map(naturalExponential)
    let total = weights.reduce(0, +)
    for (ours, theirs) in zip(try probabilities("softmax:temperature=0.2", arms), weights) {
      #expect(abs(ours - theirs / total) < 1e-15)
    }
  }

  @Test("a tiny temperature is greedy, a huge one uniform")
  func extremes() throws {
    let arms = [arm(1, of: 2), arm(3, of: 4)]
    #expect(try probabilities("softmax:temperature=1e-9", arms) == [0, 1])
    let hot = try probabilities("softmax:temperature=1e9", arms)
    #expect(abs(hot[0] - 0.5) < 1e-9)
  }

  @Test(
    "etc explores in turns, commits to the best, and stays with it",
    arguments: [
      ([(0, 0), (0, 0), (0, 0)], [1.0 / 3, 1.0 / 3, 1.0 / 3]),
      ([(1, 1), (0, 0), (0, 1)], [0, 1, 0]),
      ([(1, 1), (0, 1), (0, 1)], [1.0 / 3, 1.0 / 3, 1.0 / 3]),
      ([(1, 2), (0, 1), (0, 2)], [0, 1, 0]),
      // All explored: the best mean.
      ([(1, 2), (2, 2), (0, 2)], [0, 1, 0]),
      ([(1, 2), (1, 2), (0, 2)], [0.5, 0.5, 0]),
      // Committed to the second, though it disappoints.
      ([(1, 2), (2, 9), (0, 2)], [0, 1, 0]),
      // Others chose as well: the best mean.
      ([(2, 3), (2, 9), (0, 2)], [1, 0, 0]),
    ] as [([(Int, Int)], [Double])])
  func committing(tallies: [(Int, Int)], expected: [Double]) throws {
    #expect(try probabilities("etc:pulls=2", tallies.map { arm($0.0, of: $0.1) }) == expected)
  }
}
