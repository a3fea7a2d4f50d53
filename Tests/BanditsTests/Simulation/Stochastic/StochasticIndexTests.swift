import Foundation
import Specifications
import TestSupport
import Testing

@testable import Bandits

@Suite("Indices for more kinds of rewards")
struct StochasticIndexTests {
  private func bisected(from low: Double, to high: Double, _ holds: (Double) -> Bool) -> Double {
    var (low, high) = (low, high)
    for _ in 0..<200 {
      let middle = 0.5 * (low + high)
      if holds(middle) { low = middle } else { high = middle }
    }
    return low
  }

  private func isClose(_ one: Double, _ other: Double, _ tolerance: Double = 1e-9) -> Bool {
    abs(one - other) <= tolerance * max(1, abs(other))
  }

  @Test("each index agrees with bisection", arguments: 0..<10)
  func bounds(chunk: Int) throws {
    for seed in (chunk * 40)..<(chunk * 40 + 40) {
      var random = SeededGenerator(seed: UInt64(seed))
      let n = 1 + random.index([1, 30, 1_000][seed % 3])
      let mean = seed % 7 == 0 ? 0 : Double.random(in: 0..<1, using: &random)
      let t = Double(n) * Double.random(in: 2..<50, using: &random)
      let now = IndexSituation(decisions: t, choices: 3, bestMean: 1)
      let unit = ArmTally(decisions: n, rewarded: 0, sum: mean * Double(n), squares: 0)
      let size = [0.01, 1, 1_000][seed % 3]
      let wide = ArmTally(decisions: n, rewarded: 0, sum: size * mean * Double(n), squares: 0)
      let (m, high) = (wide.mean, wide.mean + 1e9)
      let explored = log(t) + (log(t) > 1 ? 3 * log(log(t)) : 0)

      let poisson = bisected(from: m, to: high) {
        Double(n) * ($0 - m + (m > 0 ? m * log(m / $0) : 0)) <= explored
      }
      #expect(isClose(try index("kl-ucb-poisson:c=3", wide, now), poisson), "seed \(seed)")
      if m > 0 {
        let exponential = bisected(from: m, to: high) {
          Double(n) * (m / $0 - 1 - log(m / $0)) <= explored
        }
        let value = try index("kl-ucb-exponential:c=3", wide, now)
        #expect(isClose(value, min(exponential, value > 1e9 ? value : .infinity)), "seed \(seed)")
      }
      let plus = bisected(from: unit.mean, to: 1) {
        Double(n) * BernoulliDivergence.divergence(unit.mean, $0) <= log(t / Double(n))
      }
      #expect(isClose(try index("kl-ucb-plus", unit, now), plus, 1e-7), "seed \(seed)")
      let x = 5_000 / (3 * Double(n))
      let level = max(0, log(x * (1 + pow(max(0, log(x)), 2))))
      let plusPlus = bisected(from: unit.mean, to: 1) {
        Double(n) * BernoulliDivergence.divergence(unit.mean, $0) <= level
      }
      let found = try index("kl-ucb++:horizon=5000", unit, now)
      #expect(isClose(found, plusPlus, 1e-7), "seed \(seed)")
      let gaussian = m + 2 * sqrt(2 * explored / Double(n))
      #expect(isClose(try index("kl-ucb-gaussian:sigma=2,c=3", wide, now), gaussian))
      let confident = m + sqrt(3 * max(0, log(2 * 400 / t)) / Double(n))
      #expect(isClose(try index("oc-ucb:horizon=400", wide, now), confident))
    }
  }

  @Test("impossible means are harmless")
  func odd() throws {
    let now = IndexSituation(decisions: 50, choices: 3, bestMean: 1)
    for sum in [-1e300, -3, 0, 1e300] {
      let tally = ArmTally(decisions: 3, rewarded: 0, sum: sum, squares: 0)
      for text in ["kl-ucb-poisson", "kl-ucb-exponential", "kl-ucb-gaussian", "oc-ucb"] {
        #expect(try index(text, tally, now) >= tally.mean, "\(text) \(sum)")
      }
    }
  }

  @Test("the horizon defaults to that of the simulation")
  func horizons() throws {
    for text in ["kl-ucb++", "oc-ucb"] {
      let own = try outcomes(text, Problems.b4, horizon: 300, runs: 4).map(\.choices)
      let given = try outcomes(
        "\(text):horizon=300", Problems.b4, horizon: 300, runs: 1
      ).map(\.choices)
      #expect(own.count == 4 && given.count == 1)
      let long = IndexSituation(decisions: 100, choices: 3, bestMean: 1)
      let tally = arm(5, of: 10)
      #expect(
        try index("\(text):horizon=300", tally, long)
          < (try index("\(text):horizon=30000", tally, long)))
    }
  }

  @Test(
    "invalid parameters are rejected",
    arguments: [
      "ucb2:alpha=0", "gradient:baseline=maybe", "gradient:alpha=0", "kl-ucb++:horizon=0",
      "oc-ucb:psi=0.5", "thompson-bootstrap:weights=half", "thompson-bootstrap:replicates=0",
      "gittins:discount=1", "top-two:beta=2", "epsilon-decreasing:d=0",
      "successive-elimination:delta=1", "thompson-gaussian-unknown:alpha=11",
    ])
  func refused(text: String) {
    #expect(throws: SpecificationError.self) { try Policies.named(text) }
  }
}
