import Specifications
import TestSupport
import Testing

@testable import Bandits

/// The index that a policy gives a variant.
func index(_ text: String, _ arm: ArmTally, _ now: IndexSituation) throws -> Double {
  guard let policy = try AllocationPolicies.named(text) as? any IndexPolicy else {
    throw SpecificationError("\(text) has no index")
  }
  return policy.index(arm, now)
}

@Suite("Indices")
struct IndexAllocationTests {
  private func now(_ decisions: Double, best: Double = 1, choices: Double = 2)
    -> IndexSituation
  {
    IndexSituation(decisions: decisions, choices: choices, bestMean: best)
  }

  @Test(
    "KL-UCB and UCB1 match reference values of their definitions, to 1e-9",
    arguments: [
      (3, 10, 100, 0.7560227380, 1.2597051824), (5, 10, 100, 0.8879087616, 1.4597051824),
      (50, 100, 10_000, 0.7050830496, 0.9291932053), (0, 5, 100, 0.6018928294, 1.3572281),
    ] as [(Int, Int, Double, Double, Double)])
  func published(rewarded: Int, decisions: Int, t: Double, kl: Double, ucb1: Double) throws {
    let tally = arm(rewarded, of: decisions)
    #expect(abs(try index("kl-ucb", tally, now(t)) - kl) < 1e-9)
    let expected = tally.mean + (2 * naturalLogarithm(t) / Double(decisions)).squareRoot()
    #expect(abs(try index("ucb1", tally, now(t)) - expected) < 1e-12)
    if rewarded > 0 { #expect(abs(try index("ucb1", tally, now(t)) - ucb1) < 1e-9) }
  }

  @Test("UCB1 has the values of MABWiser's test with alpha 1")
  func mabwiser() throws {
    // There t counts all decisions, 10, and the bound is alpha √(2 ln t / n).
    let expected = [
      (1, 3, 1.5723073962832794), (0, 2, 1.5174271293851465), (3, 5, 1.5597051824376162),
    ]
    for (rewarded, decisions, value) in expected {
      #expect(abs(try index("ucb1", arm(rewarded, of: decisions), now(10)) - value) < 1e-12)
    }
  }

  @Test(
    "the Bernoulli divergence matches reference values",
    arguments: [
      (0.5, 0.6, 0.0204109973), (0.1, 0.9, 1.7577796619), (0.8, 0.9, 0.0444030076), (0.3, 0.3, 0),
      (0, 0, 0), (1, 1, 0), (0.5, 1, .infinity), (1, 0, .infinity), (0, 1, .infinity),
    ])
  func divergence(p: Double, q: Double, expected: Double) {
    let value = BernoulliDivergence.divergence(p, q)
    #expect(value == expected || abs(value - expected) < 1e-9)
  }

  @Test("the bound of KL-UCB agrees with bisection", arguments: 0..<20)
  func bisection(chunk: Int) {
    for seed in (chunk * 100)..<(chunk * 100 + 100) {
      var random = SeededGenerator(seed: UInt64(seed))
      let p = [0, 1, 1e-9, 1 - 1e-9, Double.random(in: 0...1, using: &random)][min(seed % 12, 4)]
      let level = naturalExponential(Double.random(in: -25...3, using: &random))
      var (low, high) = (p, 1.0)
      for _ in 0..<200 {
        let middle = 0.5 * (low + high)
        if BernoulliDivergence.divergence(p, middle) <= level {
          low = middle
        } else {
          high = middle
        }
      }
      let q = BernoulliDivergence.upperBound(p, level: level)
      #expect(q >= p && q <= 1)
      // Where the level is tiny, rounding of the divergence moves the solution by about ε/√level.
      #expect(abs(q - low) <= 1e-9, "seed \(seed): \(q) and \(low)")
    }
  }

  @Test("the index of Bayes-UCB is the posterior quantile (scipy: beta.isf, logit)")
  func bayes() throws {
    for (a, b, logit) in [
      (4, 7, 0.4331441673780264), (1, 11, -1.1614484692487081), (11, 1, 5.365758102466996),
    ] {
      let value = try index("bayes-ucb", arm(a - 1, of: a + b - 2), now(19))
      #expect(abs(value - logit) < 1e-11)
    }
  }

  @Test("the other indices match their formulas")
  func formulas() throws {
    let tally = ArmTally(decisions: 20, rewarded: 9, sum: 6, squares: 3)
    let log = naturalLogarithm(50)
    let (m, n, v) = (0.3, 20.0, 0.15 - 0.09)
    let expected: [(Double, Double)] = [
      (try index("ucb", tally, now(50)), m + (log / (2 * n)).squareRoot()),
      (
        try index("ucb1-tuned", tally, now(50)),
        m + (log / n * min(0.25, v + (2 * log / n).squareRoot())).squareRoot()
      ),
      (
        try index("ucb-v:zeta=1.2,c=0.5", tally, now(50)),
        m + (2 * v * 1.2 * log / n).squareRoot() + 3 * 0.5 * 1.2 * log / n
      ),
      (
        try index("moss", tally, now(50)),
        m + (naturalLogarithm(50 / 40) / n).squareRoot()
      ),
      (
        try index("moss:horizon=1000", tally, now(50)),
        m + (naturalLogarithm(1000 / 40) / n).squareRoot()
      ),
      (try index("moss", tally, now(30)), m),
      (
        try index("imed", tally, now(50, best: 0.5)),
        -(n * BernoulliDivergence.divergence(0.3, 0.5) + naturalLogarithm(n))
      ),
      (
        try index("kl-ucb:c=3", tally, now(50)),
        BernoulliDivergence.upperBound(m, level: (log + 3 * naturalLogarithm(log)) / n)
      ),
    ]
    for (ours, theirs) in expected { #expect(abs(ours - theirs) < 1e-12, "\(ours) and \(theirs)") }
  }

  @Test(
    "choices never made come first, and ties share",
    arguments: [
      "ucb1", "ucb", "ucb1-tuned", "ucb-v", "moss", "moss:horizon=100", "kl-ucb", "bayes-ucb",
      "imed",
    ])
  func unpulledAndTies(text: String) throws {
    let policy = try AllocationPolicies.named(text)
    let fresh = [arm(9, of: 9), arm(0, of: 0), arm(3, of: 4), arm(0, of: 0)]
    #expect(policy.allocation(over: fresh).probabilities == [0, 0.5, 0, 0.5])
    let tied = [arm(5, of: 9), arm(1, of: 9), arm(5, of: 9)]
    #expect(policy.allocation(over: tied).probabilities == [0.5, 0, 0.5])
    #expect(policy.allocation(over: [arm(1, of: 1)]).probabilities == [1])
    #expect(policy.allocation(over: tied).error == 0)
  }
}

@Suite("Reference numbers: bandit indices")
struct IndexReferenceTests {
  @Test("R34: UCB1 and KL-UCB at mean .5, n = 10, t = 100")
  func indices() throws {
    let now = IndexSituation(decisions: 100, choices: 2, bestMean: 0.5)
    let tally = arm(5, of: 10)
    #expect(abs(try index("ucb1", tally, now) - 1.45970518244) < 5e-12)
    #expect(abs(try index("kl-ucb", tally, now) - 0.887908761646) < 5e-13)
    #expect(abs(try index("kl-ucb:c=3", tally, now) - 0.958464787587) < 5e-13)
  }

  @Test("R34: the divergence of .1 from .13, and the Lai-Robbins term it gives")
  func laiRobbins() {
    let divergence = BernoulliDivergence.divergence(0.1, 0.13)
    #expect(abs(divergence - 0.00427497006136) < 5e-15)
    #expect(abs(0.03 / divergence - 7.01759300518) < 5e-12)
  }
}
