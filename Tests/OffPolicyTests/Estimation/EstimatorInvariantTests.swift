import Testing

@testable import OffPolicy
@testable import Statistics

@Suite("Invariants of off-policy estimators")
struct EstimatorInvariantTests {
  private func value(_ name: String, _ decisions: [LoggedDecision]) throws -> Double {
    try TermEstimatorTests.sums(name, decisions).value ?? .nan
  }

  /// Random decisions of each of 50 seeds.
  private var logs: [(all: [LoggedDecision], seed: UInt64)] {
    (0..<50 as Range<UInt64>).map { seed in
      var random = Xoshiro256(seed: seed)
      return (randomDecisions(30, using: &random), seed)
    }
  }

  private func changed(
    _ decisions: [LoggedDecision], _ change: (LoggedDecision) -> LoggedDecision?
  ) -> [LoggedDecision] { decisions.compactMap(change) }

  @Test("a model of zeros changes IPS and SNIPS into nothing else")
  func zeroModel() throws {
    for (all, seed) in logs {
      let blind = changed(all) { LoggedDecision(reward: $0.reward, weight: $0.weight) }
      #expect(try value("dr", blind) == value("ips", all), "seed \(seed)")
      #expect(try value("sndr", blind) == value("snips", all), "seed \(seed)")
      #expect(
        try value("sub-gaussian-dr", blind) == value("sub-gaussian-ips", all), "seed \(seed)")
    }
  }

  @Test("with a model that is always right, DR is the direct method")
  func perfectModel() throws {
    for (all, seed) in logs {
      let perfect = changed(all) {
        LoggedDecision(
          reward: $0.reward, weight: $0.weight, modelled: $0.reward, expected: $0.expected)
      }
      for name in ["dr", "mrdr", "sndr", "switch-dr", "dros", "sub-gaussian-dr"] {
        #expect(try value(name, perfect) == value("dm", all), "\(name), seed \(seed)")
      }
    }
  }

  @Test("the limits of the parameters")
  func limits() throws {
    for (all, seed) in logs {
      let greatest = all.map(\.weight).max() ?? 0
      #expect(try value("clipped-ips:lambda=1e15", all) == value("ips", all), "seed \(seed)")
      #expect(try value("clipped-ips:lambda=\(greatest)", all) == value("ips", all))
      #expect(try value("clipped-ips:lambda=0", all) == 0)
      #expect(try value("switch-dr:tau=1e15", all) == value("dr", all))
      #expect(try value("switch-dr:tau=\(greatest)", all) == value("dr", all))
      #expect(try value("switch-dr:tau=0", all) == value("dm", all))
      #expect(try value("dros:lambda=0", all) == value("dm", all))
      #expect(try value("sub-gaussian-ips:lambda=0", all) == value("ips", all))
      #expect(try value("sub-gaussian-dr:lambda=0", all) == value("dr", all))
      let dr = try value("dr", all)
      let far = try value("dros:lambda=1e15", all)
      #expect(abs(far - dr) <= 1e-15 * greatest * greatest * greatest * 10 + 1e-12, "seed \(seed)")
    }
  }

  @Test("SNIPS shifts with the rewards and stays between them")
  func shifts() throws {
    for (all, seed) in logs {
      let shifted = changed(all) { LoggedDecision(reward: $0.reward + 5, weight: $0.weight) }
      expectClose(try value("snips", shifted), try value("snips", all) + 5, 1e-12)
      let rewards = all.map(\.reward)
      let snips = try value("snips", all)
      #expect(snips >= rewards.min() ?? 0 && snips <= rewards.max() ?? 0, "seed \(seed)")
      let constant = changed(all) { LoggedDecision(reward: 0.1, weight: $0.weight) }
      let sums = try TermEstimatorTests.sums("snips", constant)
      #expect(sums.value == 0.1 && sums.standardError == nil, "seed \(seed)")
    }
  }

  @Test("on its own log, a policy's IPS and SNIPS are the mean reward")
  func onPolicy() throws {
    for (all, seed) in logs {
      let same = changed(all) { LoggedDecision(reward: $0.reward, weight: 1) }
      let mean = Moments(all.map(\.reward))
      for name in ["ips", "snips", "clipped-ips:lambda=1", "sub-gaussian-ips", "replay"] {
        let sums = try TermEstimatorTests.sums(name, same)
        #expect(sums.value == mean.mean, "\(name), seed \(seed)")
        expectClose(sums.standardError, mean.standardError ?? .nan, 1e-14)
      }
    }
  }

  @Test("under a uniform logging policy, replay is SNIPS of a deterministic target")
  func replay() throws {
    for (all, seed) in logs {
      var random = Xoshiro256(seed: seed)
      let uniform = changed(all) {
        let matches = Draw.bernoulli(0.25, using: &random)
        return LoggedDecision(reward: $0.reward, propensity: 0.25, target: matches ? 1 : 0)
      }
      guard uniform.contains(where: { $0.weight > 0 }) else { continue }
      expectClose(try value("replay", uniform), try value("snips", uniform), 1e-14)
    }
  }

  @Test("under a uniform logging policy, replay matches n/K decisions, and its mean is unbiased")
  func replayMatches() throws {
    var random = Xoshiro256(seed: 8)
    let means = [0.1, 0.4, 0.6, 0.9]
    var sums = OffPolicySums(DeterministicReplay())
    for _ in 0..<20_000 {
      let variant = Draw.index(below: 4, using: &random)
      let reward = Draw.bernoulli(means[variant], using: &random) ? 1.0 : 0
      let target = variant == 2 ? 1.0 : 0
      sums.add(
        try #require(LoggedDecision(reward: reward, propensity: 0.25, target: target)))
    }
    // The standard deviation is √(n·¼·¾), 61.
    #expect(abs(sums.matched - 5000) < 300, "\(sums.matched)")
    let deviation = ((sums.value ?? .nan) - 0.6) / (sums.standardError ?? .nan)
    #expect(abs(deviation) < 4.5, "\(deviation)")
  }

  @Test("IPS and DR are unbiased, with the variance of the formula")
  func unbiased() throws {
    let log = SimulatedLog.standard
    var (ips, weights, doublyRobust) = (Moments(), Moments(), Moments())
    var random = Xoshiro256(seed: 5)
    for _ in 0..<100_000 {
      guard let decision = log.decision(using: &random) else { continue }
      ips.add(decision.weight * decision.reward)
      weights.add(decision.weight)
      doublyRobust.add(decision.doublyRobust(decision.weight))
    }
    // E[w²r²] is the sum of π²/p times the mean of a Bernoulli reward.
    let squares = log.means.indices.reduce(0.0) {
      $0 + log.target[$1] * log.target[$1] / log.logged[$1] * log.means[$1]
    }
    let variance = squares - log.truth * log.truth
    expectClose(ips.variance, variance, 0.03)
    for (moments, expected) in [(ips, log.truth), (doublyRobust, log.truth), (weights, 1)] {
      let deviation = ((moments.mean ?? .nan) - expected) / (moments.standardError ?? .nan)
      #expect(abs(deviation) < 4.5, "\(deviation)")
    }
    #expect((doublyRobust.variance ?? .nan) < variance)
  }
}
