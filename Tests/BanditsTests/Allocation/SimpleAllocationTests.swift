import Bandits
import Testing

/// A tally of rewards that are 0 or 1.
func arm(_ rewarded: Int, of decisions: Int) -> ArmTally {
  ArmTally(
    decisions: decisions, rewarded: rewarded, sum: Double(rewarded), squares: Double(rewarded))
}

@Suite("Fixed and greedy allocations")
struct SimpleAllocationTests {
  private func probabilities(_ text: String, _ arms: [ArmTally]) throws -> [Double] {
    let policy = try AllocationPolicies.named(text, variants: ["a", "b", "c"])
    return policy.allocation(over: arms).probabilities
  }

  @Test(
    "the probabilities are those of the definition",
    arguments: [
      (
        "uniform", [0.25, 0.25, 0.25, 0.25],
        [arm(1, of: 2), arm(0, of: 0), arm(3, of: 3), arm(0, of: 1)]
      ),
      ("weights:values=1;2;1", [0.25, 0.5, 0.25], [arm(1, of: 2), arm(0, of: 0), arm(3, of: 3)]),
      (
        "weights:values=1e308;1e308;0", [0.5, 0.5, 0],
        [arm(1, of: 2), arm(0, of: 0), arm(3, of: 3)]
      ),
      ("fixed:variant=b", [0, 1, 0], [arm(1, of: 2), arm(0, of: 0), arm(3, of: 3)]),
      ("greedy", [0, 1, 0], [arm(1, of: 2), arm(2, of: 3), arm(0, of: 9)]),
      ("greedy", [0.5, 0.5, 0], [arm(1, of: 2), arm(2, of: 4), arm(0, of: 9)]),
      ("greedy", [0, 0.5, 0.5], [arm(1, of: 2), arm(0, of: 0), arm(0, of: 0)]),
      ("epsilon-greedy:epsilon=0.25", [0.125, 0.875], [arm(1, of: 2), arm(2, of: 3)]),
      ("epsilon-greedy:epsilon=0", [0, 1], [arm(1, of: 2), arm(2, of: 3)]),
      ("epsilon-greedy:epsilon=1", [0.5, 0.5], [arm(1, of: 2), arm(2, of: 3)]),
      ("epsilon-greedy:epsilon=0.5", [0.25, 0.75], [arm(9, of: 9), arm(0, of: 0)]),
      ("epsilon-greedy", [1], [arm(9, of: 9)]),
      ("greedy", [], []),
      ("uniform", [], []),
    ] as [(String, [Double], [ArmTally])])
  func definition(text: String, expected: [Double], arms: [ArmTally]) throws {
    #expect(try probabilities(text, arms) == expected)
  }

  @Test("weights and names for another number of choices are rejected, with equal probabilities")
  func otherCount() throws {
    let arms = [arm(1, of: 2), arm(1, of: 2)]
    for text in ["weights:values=1;2;1", "fixed:variant=b"] {
      let allocation = try AllocationPolicies.named(text, variants: ["a", "b", "c"])
        .allocation(over: arms)
      #expect(allocation.probabilities == [0.5, 0.5])
      #expect(allocation.refusal?.contains("2") == true)
    }
  }

  @Test("learning policies reject negative counts and non-finite sums")
  func flaws() throws {
    let flawed = [
      ArmTally(decisions: -1), ArmTally(decisions: 1, rewarded: -1),
      ArmTally(decisions: 1, sum: .nan),
      ArmTally(decisions: 1, sum: .infinity), ArmTally(decisions: 1, squares: .infinity),
    ]
    for tally in flawed {
      for text in ["greedy", "epsilon-greedy"] {
        let allocation = try AllocationPolicies.named(text).allocation(over: [arm(1, of: 1), tally])
        #expect(allocation.probabilities == [0.5, 0.5])
        #expect(allocation.refusal?.contains("choice 2") == true)
      }
    }
  }
}
