import Statistics
import TestSupport
import Testing

@testable import Bandits

@Suite("Probabilities of further kinds of Thompson sampling")
struct FurtherThompsonTests {
  @Test("two Gamma posteriors have the probabilities of the incomplete Beta function")
  func gamma() throws {
    for seed in 0..<25 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let scale = random.pick([1, 10, 1_000, 100_000], or: 1)
      let shape = random.pick([0.01, 0.5, 1, 30], or: 1)
      let arms = (0..<2).map { _ in
        let sum = Double(random.index(scale))
        return ArmTally(decisions: random.index(scale), sum: sum, squares: sum)
      }
      let allocation = try AllocationPolicies.named(
        "thompson-gamma-poisson:shape=\(shape),rate=2"
      ).allocation(over: arms)
      // G₁/r₁ > G₂/r₂ is G₁/(G₁ + G₂) > r₁/(r₁ + r₂).
      let rates = arms.map { 2 + Double($0.decisions) }
      let first = SpecialFunctions.incompleteBetaComplement(
        rates[0] / (rates[0] + rates[1]), shape + arms[0].sum, shape + arms[1].sum)
      #expect(abs(allocation.probabilities[0] - first) < 1e-9, "seed \(seed): \(arms)")
      #expect(allocation.error < 1e-6, "seed \(seed): \(allocation.error), \(arms)")
      #expect(abs(allocation.probabilities.reduce(0, +) - 1) < 1e-12)
    }
  }

  @Test("three exponential posteriors have the probabilities of competing exponentials")
  func race() throws {
    // Without rewards a Gamma posterior with shape 1 is exponential; the largest of three by inclusion and exclusion.
    let rates = [2.0, 3, 7]
    let arms = [1, 2, 6].map { ArmTally(decisions: $0) }
    let found = try AllocationPolicies.named("thompson-gamma-poisson").allocation(over: arms)
    for (index, share) in found.probabilities.enumerated() {
      let rate = rates[index]
      let others = rates.indices.filter { $0 != index }.map { rates[$0] }
      // It is smaller than another with probability r/(r + s), and than both with r/(r + s + t).
      let smaller: Double = rate / (rate + others[0]) + rate / (rate + others[1])
      let expected: Double = 1 - smaller + rate / (rate + others[0] + others[1])
      #expect(abs(share - expected) < 1e-12)
    }
  }

  @Test("top-two probabilities are those of Russo's algorithm 3")
  func topTwo() throws {
    for seed in 0..<12 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let arms = (0..<3).map { _ in
        let count = random.index(30)
        return arm(random.index(count + 1), of: count)
      }
      let beta = random.pick([0, 0.3, 0.5, 1], or: 0.5)
      let best = try AllocationPolicies.named("thompson").allocation(over: arms).probabilities
      let found = try AllocationPolicies.named("top-two:beta=\(beta)").allocation(over: arms)
      // With a leader that nearly has all, a hundred draws are not enough to find another.
      guard best.allSatisfy({ $0 < 0.7 }) else { continue }
      for j in best.indices {
        let second = best.indices.filter { $0 != j }.map { best[$0] / (1 - best[$0]) }
        let expected = best[j] * (beta + (1 - beta) * second.reduce(0, +))
        #expect(abs(found.probabilities[j] - expected) < 1e-9, "seed \(seed)")
      }
      #expect(found.error < 1e-5)
    }
  }

  @Test("if a hundred redraws find no second, top-two chooses the closest")
  func topTwoFallback() throws {
    let arms = [arm(0, of: 300), arm(300, of: 300), arm(30, of: 300)]
    let found = try AllocationPolicies.named("top-two:beta=0").allocation(over: arms)
    #expect(found.probabilities[2] > 1 - 1e-9)
    let alone = try AllocationPolicies.named("top-two").allocation(over: [arm(3, of: 4)])
    #expect(alone.probabilities == [1])
  }
}
