import Foundation
import Statistics
import TestSupport
import Testing

@testable import Bandits

private let names = [
  "exp3", "exp3-s", "exp3-ix", "exp3-ix:horizon=1000", "exp3++", "exp4",
  "exp4:experts=(ucb1);(exp3)", "hedge", "hedge:information=bandit", "tsallis-inf",
  "tsallis-inf:estimator=iw",
  "corral:policies=(exp3);(ucb1)", "corral:policies=(exp3);(exp4),feedback=agreeing",
]

@Suite("Adversarial policies in runs")
struct AdversarialRunTests {
  @Test("the regret of exp3 agrees with an independent computation")
  func reference() throws {
    let table = [
      (Problems.b1, 252.22, 0.45, 617.20, 1.63), (Problems.b4, 60.64, 0.36, 149.28, 1.04),
      (Problems.b6, 38.11, 0.29, 106.40, 0.33),
    ]
    let runs = areLongRunsWanted ? 2000 : 6
    for (problem, early, earlyError, late, lateError) in table {
      let ours = try outcomes(
        "exp3:gamma=0.05", problem, horizon: 10_000, runs: runs, checkpoints: .given([1000]))
      for (point, value, error) in [(0, early, earlyError), (1, late, lateError)] {
        let found = mean(ours) { $0.points[point].regret }
        let bound = 4 * (error * error + found.error * found.error).squareRoot()
        // Few runs know little of their own spread.
        #expect(abs(found.mean - value) <= max(bound, areLongRunsWanted ? 0 : 0.2 * value))
      }
    }
  }

  @Test("regret is sublinear", arguments: names)
  func sublinear(name: String) throws {
    let found = try outcomes(
      name, Problems.b6, horizon: 4000, runs: 5, checkpoints: .given([1000]))
    let early = mean(found) { $0.points[0].regret }.mean
    let late = mean(found) { $0.points[1].regret }.mean
    // Uniform choices cost 600 in 4,000 steps, and a quarter of it in the first 1,000.
    #expect(late < 300 && late < 3.2 * early, "\(name): \(early), \(late)")
  }

  @Test("the propensity is the frequency of the variant", arguments: names)
  func frequencies(name: String) throws {
    var state = try freshState(name, variants: 4)
    var random = Xoshiro256(seed: 5)
    for step in 0..<200 {
      let choice = state.choose(.none, &random)
      state.learn(choice, mixedReward(5)(step, choice.variant), .none)
    }
    guard let sharing = state as? any AllocatingState, !sharing.probability(of: 0).isNaN else {
      return
    }
    var counts = [Double](repeating: 0, count: 4)
    for _ in 0..<5000 { counts[state.choose(.none, &random).variant] += 1 }
    for variant in 0..<4 {
      let p = sharing.probability(of: variant)
      let error = (p * (1 - p) / 5000).squareRoot()
      #expect(abs(counts[variant] / 5000 - p) < 4.5 * error + 1e-4, "\(name), \(variant)")
    }
  }

  @Test("nothing traps, and every propensity is a probability", arguments: names)
  func robust(name: String) throws {
    for (variants, horizon) in [(1, 1), (1, 50), (2, 300), (7, 300)] {
      for size in [1.0, 1e300, -1e300] {
        let start = try freshState(name, variants: variants, horizon: horizon)
        let choices = wander(start, steps: horizon, seed: 2, late: 0.5) { step, variant in
          size * mixedReward(2)(step, variant)
        }
        #expect(
          choices.allSatisfy {
            // What a band of policies chooses has a propensity that is not always known.
            $0.variant < variants
              && ($0.propensity > 0 && $0.propensity <= 1 + 1e-12
                || $0.propensity.isNaN && name.hasPrefix("corral"))
          }, "\(name), \(variants) variants, rewards of \(size)")
      }
    }
  }

  @Test("the same seed gives the same outcome, batches or not", arguments: names)
  func deterministic(name: String) throws {
    for batch in [1, 7] {
      let once = try outcomes(name, Problems.b2, horizon: 300, runs: 2, batch: batch)
      #expect(try once == outcomes(name, Problems.b2, horizon: 300, runs: 2, batch: batch))
      #expect(once[0] != once[1])
    }
  }

  @Test(
    "weights survive a million steps",
    arguments: ["exp3", "exp3-s", "hedge", "exp3-ix"])
  func long(name: String) throws {
    let steps = areLongRunsWanted ? 1_000_000 : 40_000
    for best in [0, 2] {
      let start = try freshState(name, variants: 3, horizon: steps)
      let choices = wander(start, steps: steps, seed: 4, late: 0) { $1 == best ? 1 : 0 }
      #expect(choices.suffix(1000).count { $0.variant == best } > 900)
      #expect(choices.allSatisfy { $0.propensity > 0 && $0.propensity <= 1 })
    }
  }
}
