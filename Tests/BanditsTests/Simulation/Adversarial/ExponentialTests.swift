import Foundation
import TestSupport
import Testing

@testable import Bandits

/// Compares each probability of a policy with those of its twin, at each step of many short runs.
private func compare(
  _ policy: String, steps: Int = 300, runs: Int = 20, tolerance: Double = 1e-9,
  _ twin: (_ variants: Int) -> Twin
) throws {
  for seed in 1...UInt64(runs) {
    let variants = Int(seed % 6) + 1
    let twin = twin(variants)
    let start = try freshState(policy, variants: variants, horizon: steps)
    wander(start, steps: steps, seed: seed, reward: mixedReward(seed)) { state, choice, reward in
      if let reward { return twin.learn(choice.variant, choice.propensity, reward) }
      let expected = twin.probabilities()
      #expect(
        abs(choice.propensity - expected[choice.variant]) < tolerance, "\(policy), seed \(seed)")
      guard let state = state as? any AllocatingState, !state.probability(of: 0).isNaN else {
        return
      }
      let all = (0..<variants).map { state.probability(of: $0) }
      #expect(zip(all, expected).allSatisfy { abs($0 - $1) < tolerance }, "\(policy), seed \(seed)")
      #expect(abs(all.reduce(0, +) - 1) < 1e-12)
    }
  }
}

private func shares(_ weights: [Double]) -> [Double] {
  weights.map { $0 / weights.reduce(0, +) }
}

@Suite("Exponential weights and Tsallis-INF follow their papers")
struct ExponentialTests {
  @Test("exp3 mixes weights of gains with uniform exploration")
  func exp3() throws {
    try compare("exp3:gamma=0.2") { count in
      var w = [Double](repeating: 1, count: count)
      let k = Double(count)
      return Twin(
        probabilities: { shares(w).map { 0.8 * $0 + 0.2 / k } },
        learn: { w[$0] *= exp(0.2 * $2 / $1 / k) })
    }
  }

  @Test("exp3-s shares a part of the weights")
  func exp3s() throws {
    for alpha in [nil, 0.01] as [Double?] {
      let name = "exp3-s:gamma=0.1" + (alpha.map { ",alpha=\($0)" } ?? "")
      try compare(name) { count in
        var w = [Double](repeating: 1, count: count)
        let (k, a) = (Double(count), alpha ?? 1 / 300.0)
        return Twin(
          probabilities: { shares(w).map { 0.9 * $0 + 0.1 / k } },
          learn: { variant, p, reward in
            let part = exp(1) * a / k * w.reduce(0, +)
            w[variant] *= exp(0.1 * reward / p / k)
            w = w.map { $0 + part }
          })
      }
    }
  }

  @Test("exp3-ix estimates losses with a bias, at a decreasing or given rate")
  func exp3ix() throws {
    for name in ["exp3-ix", "exp3-ix:horizon=200", "exp3-ix:eta=0.1,gamma=0.02"] {
      try compare(name) { count in
        var losses = [Double](repeating: 0, count: count)
        var learned = 0.0
        let k = Double(count)
        let eta: () -> Double = {
          switch name {
          case "exp3-ix": (log(k) / k / (learned + 1)).squareRoot()
          case "exp3-ix:horizon=200": (2 * log(k) / k / 200).squareRoot()
          default: 0.1
          }
        }
        return Twin(
          probabilities: { shares(losses.map { exp(-eta() * $0) }) },
          learn: { variant, p, reward in
            losses[variant] += (1 - reward) / (p + (name.contains("gamma") ? 0.02 : eta() / 2))
            learned += 1
          })
      }
    }
  }

  @Test("hedge with bandit information importance-weights losses")
  func hedge() throws {
    for name in ["hedge", "hedge:information=bandit", "hedge:information=bandit,eta=0.3"] {
      try compare(name) { count in
        var losses = [Double](repeating: 0, count: count)
        let k = Double(count)
        let eta = !name.contains("eta") ? (2 * log(k) / k / 300).squareRoot() : 0.3
        // A probability that is far below any that is drawn is computed in another order.
        return Twin(
          probabilities: { shares(losses.map { exp(-eta * ($0 - (losses.min() ?? 0))) }) },
          learn: { losses[$0] += (1 - $2) / $1 })
      }
    }
  }

  @Test("exp3++ explores by the estimated gaps")
  func exp3PlusPlus() throws {
    // With a small beta the gaps matter within few steps.
    for (alpha, beta) in [(3.0, 256.0), (0.1, 0.01)] {
      try compare("exp3++:alpha=\(alpha),beta=\(beta)") { count in
        var (estimates, sums, n) = ([Double](), [Double](), [Double]())
        (estimates, sums, n) = (
          .init(repeating: 0, count: count), .init(repeating: 0, count: count),
          .init(repeating: 0, count: count)
        )
        let k = Double(count)
        return Twin(
          probabilities: {
            let t = n.reduce(0, +) + 1
            let eta = 0.5 * (log(k) / (t * k)).squareRoot()
            let width = n.map { (alpha * log(t * pow(k, 1 / alpha)) / (2 * $0)).squareRoot() }
            let mean = zip(sums, n).map { $1 > 0 ? $0 / $1 : 0 }
            let least = zip(mean, width).map { min(1, $0 + $1) }.min() ?? 1
            let gaps = (0..<count).map { n[$0] > 0 ? max(0, mean[$0] - width[$0] - least) : 0 }
            let epsilon = gaps.map {
              min(0.5 / k, eta, $0 == 0 ? .infinity : beta * log(t) / (t * $0 * $0))
            }
            let rest = 1 - epsilon.reduce(0, +)
            let rho = shares(estimates.map { exp(-eta * $0) })
            return zip(rho, epsilon).map { rest * $0 + $1 }
          },
          learn: { variant, p, reward in
            estimates[variant] += (1 - reward) / p
            sums[variant] += 1 - reward
            n[variant] += 1
          })
      }
    }
  }

  @Test("tsallis-inf solves for the probabilities, with both estimators")
  func tsallis() throws {
    for name in ["iw", "rv"] {
      try compare("tsallis-inf:estimator=\(name)", runs: 6, tolerance: 1e-8) { count in
        var losses = [Double](repeating: 0, count: count)
        var learned = 0.0
        let eta: () -> Double = { (name == "rv" ? 4 : 2) / (learned + 1).squareRoot() }
        let solve: () -> [Double] = {
          let lowest = losses.min() ?? 0
          var (low, high) = (lowest - 2 * Double(count).squareRoot() / eta(), lowest)
          for _ in 0..<70 {
            let x = (low + high) / 2
            let sum = losses.reduce(0) { $0 + 4 / pow(eta() * ($1 - x), 2) }
            if sum > 1 { high = x } else { low = x }
          }
          return losses.map { 4 / pow(eta() * ($0 - low), 2) }
        }
        return Twin(
          probabilities: solve,
          learn: { variant, p, reward in
            let now = solve()
            let b = now.map { name == "rv" && $0 >= eta() * eta() * (1 - 1e-12) ? 0.5 : 0 }
            for other in 0..<count { losses[other] += b[other] }
            losses[variant] += (1 - reward - b[variant]) / p
            learned += 1
          })
      }
    }
  }

  @Test("exp4 weights constant experts and a uniform one")
  func exp4() throws {
    let experts = [1, 2, 1]
    let given = "exp4:gamma=0.1,experts=(fixed:variant=2);(fixed:variant=3);(fixed:variant=2)"
    for seed in 1...20 as ClosedRange<UInt64> {
      let variants = 3
      for advice in [nil, experts] {
        var w = [Double](repeating: 1, count: (advice?.count ?? variants) + 1)
        let advised = advice ?? Array(0..<variants)
        let start = try freshState(
          advice == nil ? "exp4:gamma=0.1" : given, variants: variants)
        wander(start, steps: 300, seed: seed, reward: mixedReward(seed)) { _, choice, reward in
          let q = shares(w)
          if let reward {
            let x = reward / choice.propensity
            for (index, variant) in advised.enumerated() where variant == choice.variant {
              w[index] *= exp(0.1 / 3 * x)
            }
            w[advised.count] *= exp(0.1 / 3 * x / 3)
          } else {
            var p = (q.last ?? 0) / 3
            for (index, variant) in advised.enumerated() where variant == choice.variant {
              p += q[index]
            }
            #expect(abs(choice.propensity - (0.9 * p + 0.1 / 3)) < 1e-12, "seed \(seed)")
          }
        }
      }
    }
  }
}
