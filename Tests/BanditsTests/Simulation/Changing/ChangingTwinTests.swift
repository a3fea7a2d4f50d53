import Foundation
import Statistics
import TestSupport
import Testing

@testable import Bandits

/// A policy by its paper, in as few lines as will do: indices from all the rewards learned so far.
private struct IndexTwin {
  /// The indices, of which the largest wins.
  var indices: () -> [Double]
  var learn: (_ variant: Int, _ reward: Double) -> Void = { _, _ in }
  /// Whose turn it is without regard to indices.
  var forced: () -> Int? = { nil }
  /// The probability of any variant.
  var exploration = 0.0
  /// Whether each variant comes once first.
  var hasFirstRound = true
}

private func kl(_ p: Double, _ q: Double) -> Double {
  (p > 0 ? p * log(p / q) : 0) + (p < 1 ? (1 - p) * log((1 - p) / (1 - q)) : 0)
}

private func klBound(_ p: Double, _ level: Double) -> Double {
  var (low, high) = (p, 1.0)
  for _ in 0..<60 {
    let middle = (low + high) / 2
    if kl(p, middle) > level { high = middle } else { low = middle }
  }
  return low
}

private func mean(_ rewards: some Collection<Double>) -> Double {
  rewards.reduce(0, +) / Double(rewards.count)
}

/// Follows a policy, and checks that each of its choices is one that its twin could have made, with that probability.
private func compare(
  _ policy: String, steps: Int = 300, runs: Int = 8, late: Double = 0.2,
  _ twin: (_ variants: Int) -> IndexTwin
) throws {
  for seed in 1...UInt64(runs) {
    let variants = Int(seed % 5) + 1
    let twin = twin(variants)
    var chosen: Set<Int> = []
    // The best variant becomes the worst twice.
    let reward: (Int, Int) -> Double = { step, variant in
      let flipped = (step / 100) % 2 == 1 ? variants - 1 - variant : variant
      return mixedReward(seed)(step, 2 * flipped)
    }
    wander(
      try freshState(policy, variants: variants, horizon: steps), steps: steps, seed: seed,
      late: late, reward: reward
    ) { _, choice, reward in
      if let reward { return twin.learn(choice.variant, reward) }
      defer { chosen.insert(choice.variant) }
      let place = "\(policy), seed \(seed)"
      if let forced = twin.forced() {
        #expect(choice.variant == forced && choice.propensity == 1, "\(place)")
        return
      }
      if twin.hasFirstRound, chosen.count < variants {
        #expect(!chosen.contains(choice.variant), "\(place)")
        #expect(choice.propensity == 1 / Double(variants - chosen.count))
        return
      }
      let indices = twin.indices()
      let best = indices.max() ?? 0
      let winners = indices.indices.filter { indices[$0] == best || best - indices[$0] < 1e-9 }
      let isWinner = winners.contains(choice.variant)
      let share = isWinner ? (1 - twin.exploration) / Double(winners.count) : 0
      let expected = twin.exploration / Double(variants) + share
      #expect(isWinner || twin.exploration > 0, "\(place): \(choice) of \(indices)")
      // What lies within rounding may be a tie for one and none for the other.
      #expect(abs(choice.propensity - expected) < 1e-9 || winners.count > 1, "\(place): \(choice)")
    }
  }
}

@Suite("Policies for non-stationary rewards follow their papers")
struct ChangingTwinTests {
  @Test("discounted-ucb discounts all rewards")
  func discountedUCB() throws {
    for (gamma, xi) in [(0.9, 0.6), (0.02, 1), (1, 0.2)] {
      try compare("discounted-ucb:gamma=\(gamma),xi=\(xi)") { count in
        var rewards: [(variant: Int, reward: Double)] = []
        return IndexTwin(
          indices: {
            var (n, s) = (
              [Double](repeating: 0, count: count), [Double](repeating: 0, count: count)
            )
            for (age, item) in rewards.reversed().enumerated() {
              n[item.variant] += pow(gamma, Double(age))
              s[item.variant] += pow(gamma, Double(age)) * item.reward
            }
            let total = n.reduce(0, +)
            return (0..<count).map {
              // Far back powers vanish, and their mean with them.
              n[$0] > 1e-250
                ? s[$0] / n[$0] + 2 * (xi * max(0, log(total)) / n[$0]).squareRoot() : .infinity
            }
          }, learn: { rewards.append(($0, $1)) })
      }
    }
  }

  @Test("sliding windows use the last rewards only")
  func slidingWindow() throws {
    for (policy, window) in [
      ("sliding-window-ucb:window=40", 40), ("sliding-window-ucb:window=1", 1),
      ("sliding-window-ucb:horizon=50", 28), ("sliding-window-kl-ucb:window=30", 30),
      ("sliding-window-kl-ucb", 83),
    ] {
      try compare(policy) { count in
        var rewards: [(variant: Int, reward: Double)] = []
        return IndexTwin(
          indices: {
            let last = rewards.suffix(window)
            let level = log(Double(last.count))
            return (0..<count).map { variant in
              let own = last.filter { $0.variant == variant }.map(\.reward)
              guard !own.isEmpty else { return .infinity }
              return policy.contains("kl")
                ? klBound(mean(own), level / Double(own.count))
                : mean(own) + (0.6 * level / Double(own.count)).squareRoot()
            }
          }, learn: { rewards.append(($0, $1)) })
      }
    }
  }

  @Test("cusum-ucb resets a variant whose rewards drift")
  func cusum() throws {
    try compare("cusum-ucb:samples=10,epsilon=0.1,threshold=2,exploration=0.2") { count in
      var rewards = [[Double]](repeating: [], count: count)
      return IndexTwin(
        indices: {
          let total = Double(rewards.reduce(0) { $0 + $1.count })
          return rewards.map {
            $0.isEmpty ? .infinity : mean($0) + (log(total) / Double($0.count)).squareRoot()
          }
        },
        learn: { variant, reward in
          rewards[variant].append(reward)
          let u = mean(rewards[variant].prefix(10))
          var (up, down) = (0.0, 0.0)
          for y in rewards[variant].dropFirst(10) {
            up = max(0, up + y - u - 0.1)
            down = max(0, down + u - y - 0.1)
          }
          if max(up, down) > 2 { rewards[variant] = [] }
        },
        exploration: 0.2, hasFirstRound: false)
    }
  }

  @Test("m-ucb restarts when two halves of a window differ")
  func monitored() throws {
    try compare("m-ucb:window=12,threshold=3,exploration=0.1") { count in
      var rewards = [[Double]](repeating: [], count: count)
      var step = 0
      return IndexTwin(
        indices: {
          let total = Double(rewards.reduce(0) { $0 + $1.count })
          return rewards.map {
            $0.isEmpty ? .infinity : mean($0) + (2 * log(total) / Double($0.count)).squareRoot()
          }
        },
        learn: { variant, reward in
          rewards[variant].append(reward)
          let last = rewards[variant].suffix(12)
          let gap = last.suffix(6).reduce(0, +) - last.prefix(6).reduce(0, +)
          guard last.count == 12, abs(gap) > 3 else { return }
          rewards = rewards.map { _ in [] }
          step = 0
        },
        forced: {
          step += 1
          let turn = (step - 1) % (count * 10)
          return turn < count ? turn : nil
        }, hasFirstRound: false)
    }
  }

  @Test("glr-kl-ucb resets variants by its likelihood ratio test")
  func likelihoodRatio() throws {
    for (isGlobal, every, stride) in [(false, 1, 1), (true, 1, 1), (false, 10, 10), (true, 3, 7)] {
      let name =
        "glr-kl-ucb:restart=\(isGlobal ? "global" : "local"),delta=0.1,exploration=0.05,every=\(every),stride=\(stride)"
      try compare(name, runs: 4) { count in
        var rewards = [[Double]](repeating: [], count: count)
        var starts = [Int](repeating: 0, count: count)
        var (learned, step, changes) = (0, 0, 0.0)
        return IndexTwin(
          indices: {
            rewards.indices.map {
              rewards[$0].isEmpty
                ? .infinity
                : klBound(
                  mean(rewards[$0]),
                  log(Double(max(1, learned - starts[$0]))) / Double(rewards[$0].count))
            }
          },
          learn: { variant, reward in
            learned += 1
            rewards[variant].append(reward)
            let all = rewards[variant]
            let n = Double(all.count)
            guard all.count % every == 0 else { return }
            let hasChanged = (1..<max(2, all.count)).contains { s in
              guard s % stride == 0, s < all.count else { return false }
              let ratio =
                Double(s) * kl(mean(all.prefix(s)), mean(all))
                + (n - Double(s)) * kl(mean(all.dropFirst(s)), mean(all))
              return ratio > log(n * n.squareRoot() / 0.1)
            }
            guard hasChanged else { return }
            changes += 1
            if isGlobal { step = 0 }
            for other in 0..<count where isGlobal || other == variant {
              rewards[other] = []
              starts[other] = learned
            }
          },
          forced: {
            step += 1
            let part = min(1, 0.05 * (changes + 1).squareRoot())
            let turn = (step - 1) % max(count, Int(Double(count) / part))
            return turn < count ? turn : nil
          }, hasFirstRound: false)
      }
    }
  }

  @Test("raw-ucb uses the least bound over all windows")
  func rawUCB() throws {
    for (grid, lengths) in [(2.0, [1, 2, 4, 8, 16, 32, 64, 128, 256]), (1.01, Array(1...101))] {
      try compare("raw-ucb:grid=\(grid),sigma=0.4", steps: grid == 2 ? 300 : 100) { count in
        var rewards = [[Double]](repeating: [], count: count)
        return IndexTwin(
          indices: {
            let t = Double(rewards.reduce(0) { $0 + $1.count } + 1)
            return rewards.map { own in
              lengths.filter { $0 <= own.count }.map {
                mean(own.suffix($0)) + (2 * 0.16 * 1.4 * log(t) / Double($0)).squareRoot()
              }.min() ?? .infinity
            }
          }, learn: { rewards[$0].append($1) })
      }
    }
  }

  @Test("fewa filters over growing windows")
  func fewa() throws {
    for (grid, lengths) in [(2.0, [1, 2, 4, 8, 16, 32, 64, 128, 256]), (1.01, Array(1...101))] {
      try compare("fewa:grid=\(grid),alpha=0.1", steps: grid == 2 ? 300 : 100) { count in
        var rewards = [[Double]](repeating: [], count: count)
        return IndexTwin(
          indices: {
            let t = Double(rewards.reduce(0) { $0 + $1.count } + 1)
            var left = Set(0..<count)
            for h in lengths {
              if left.contains(where: { rewards[$0].count < h }) || left.count == 1 { break }
              let best = left.map { mean(rewards[$0].suffix(h)) }.max() ?? 0
              let width = 2 * (2 * 0.25 * 0.1 * log(t) / Double(h)).squareRoot()
              left = left.filter { mean(rewards[$0].suffix(h)) >= best - width - 1e-13 }
            }
            return (0..<count).map { left.contains($0) ? -Double(rewards[$0].count) : -.infinity }
          }, learn: { rewards[$0].append($1) })
      }
    }
  }

  @Test("discounted-thompson draws from discounted posteriors")
  func discountedThompson() throws {
    for gamma in [0.9, 0.01] {
      var state = try freshState("discounted-thompson:gamma=\(gamma),alpha=2", variants: 3)
      var random = Xoshiro256(seed: 8)
      var (s, f) = ([0.0, 0, 0], [0.0, 0, 0])
      for step in 0..<400 {
        var same = random
        var draws: [Double] = []
        for variant in 0..<3 {
          draws.append(Draw.beta(2 + s[variant], 1 + f[variant], using: &same))
        }
        let choice = state.choose(.none, &random)
        let best = draws.max() ?? 0
        #expect(best - draws[choice.variant] < 1e-9 && choice.propensity.isNaN)
        let reward = mixedReward(8)(step, choice.variant)
        (s, f) = (s.map { $0 * gamma }, f.map { $0 * gamma })
        s[choice.variant] += reward
        f[choice.variant] += 1 - reward
        state.learn(choice, reward, .none)
        // A draw may take another number of words when a parameter differs in its last digit.
        random = Xoshiro256(seed: UInt64(step))
      }
    }
  }
}
