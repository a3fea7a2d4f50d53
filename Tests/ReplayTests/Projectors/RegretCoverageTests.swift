import Foundation
import Statistics
import TestSupport
import Testing

@testable import Replay

private let isLong = LongTests.areWanted

/// How often the interval of the regret holds the true regret, which is known.
@Suite("Coverage of the interval of the regret")
struct RegretCoverageTests {
  enum Policy: String, CaseIterable {
    case uniform, unlogged, thompson, epsilonGreedy
  }

  enum Rewards: String, CaseIterable {
    case three = "3 %"
    case ten = "10 %"
    case half = "50 %"
    case normal
    case revenue
  }

  struct Setting: CustomTestStringConvertible {
    var policy: Policy
    var rewards: Rewards
    var variants: Int
    /// What the first variant is better by, in parts of its mean.
    var lead: Double
    var decisions: Int

    var testDescription: String {
      "\(policy.rawValue), \(rewards.rawValue), \(variants) variants, lead \(lead), \(decisions) decisions"
    }
  }

  static let settings: [Setting] = {
    var settings: [Setting] = []
    for policy in Policy.allCases {
      for rewards in Rewards.allCases {
        for (variants, lead) in [(2, 0.0), (2, 0.05), (5, 0.0), (5, 0.2), (20, 0.0), (20, 0.1)] {
          let decisions = variants == 20 ? 1_000 : [200, 1_000][settings.count / 2 % 2]
          settings.append(
            Setting(
              policy: policy, rewards: rewards, variants: variants, lead: lead,
              decisions: decisions))
        }
      }
    }
    return isLong
      ? settings : settings.enumerated().filter { $0.offset % 7 == 3 }.map(\.element)
  }()

  @Test("holds the true regret at least as often as its level says", arguments: settings)
  func coverage(setting: Setting) throws {
    let logs = isLong ? 2_000 : 100
    var (missed, missedLow, unbounded, width, estimated, truth) = (0, 0, 0, 0.0, 0.0, 0.0)
    for log in 0..<logs {
      let outcome = try Self.outcome(setting, seed: UInt64(log))
      truth += outcome.regret
      estimated += outcome.estimate
      guard let interval = outcome.interval else {
        unbounded += 1
        continue
      }
      width += interval.width
      // The regret of equal variants is exactly 0.
      if !interval.contains(outcome.regret) { missed += 1 }
      if interval.low > outcome.regret { missedLow += 1 }
    }
    if isLong {
      let bounded = Double(max(1, logs - unbounded))
      print(
        "regret coverage: \(setting.testDescription): \(1 - Double(missed) / Double(logs)), too high \(missedLow), "
          + "unbounded \(unbounded), mean width \(width / bounded), mean estimate \(estimated / Double(logs)), "
          + "true \(truth / Double(logs))")
    }
    // 5 % of 2,000 is 100, with a standard deviation of 9.7: four of them are 39. Of 100 logs 5, and 2.2.
    #expect(missed <= (isLong ? 139 : 13), "\(missed) of \(logs)")
    #expect(unbounded <= logs / 4, "\(unbounded) of \(logs)")
  }

  private static func outcome(_ setting: Setting, seed: UInt64) throws -> (
    interval: Interval?, regret: Double, estimate: Double
  ) {
    var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(setting.variants))
    let base: Double =
      switch setting.rewards {
      case .three: 0.03
      case .ten: 0.1
      case .half: 0.5
      case .normal: 1
      case .revenue: 0.1
      }
    let factors = (0..<setting.variants).map { $0 == 0 ? 1 + setting.lead : 1.0 }
    func reward(_ variant: Int) -> Double {
      let mean = base * factors[variant]
      switch setting.rewards {
      case .three, .ten, .half: return random.chance(mean) ? 1 : 0
      case .normal: return mean + normal(&random)
      case .revenue:
        // A tenth buys, for a lognormal sum of mean 1.
        return random.chance(0.1) ? factors[variant] * exp(normal(&random) - 0.5) : 0
      }
    }
    var tallies = Array(repeating: RegretTally(), count: setting.variants)
    var place = RegretPlaceTally()
    var (counts, sums) = (
      Array(repeating: 0, count: setting.variants), Array(repeating: 0.0, count: setting.variants)
    )
    for number in 0..<setting.decisions {
      let (variant, propensity) = choose(setting, number, counts, sums, base, &random)
      let value = reward(variant)
      counts[variant] += 1
      sums[variant] += value
      tallies[variant].weighed += 1
      tallies[variant].rewards.add(value)
      tallies[variant].units.add(value, over: 1)
      if value != 0, value != 1 { tallies[variant].rewardsNotBinary += 1 }
      if let propensity {
        tallies[variant].propensities.add(propensity)
      } else {
        tallies[variant].withoutPropensity += 1
      }
      place.decisions.add(1)
    }
    // A variant that was never chosen is not in the log, and the regret is against those that are.
    let seen = counts.indices.filter { counts[$0] > 0 }
    let rules = RegretRules()
    let estimate = RegretEstimate(
      seen.map { tallies[$0] }, plain: seen.map { sums[$0] / Double(counts[$0]) }, rules)
    let bounds = RegretBounds(seen.map { tallies[$0] }, means: estimate.means, place, rules)
    let mean = { (variant: Int) in
      setting.rewards == .revenue ? 0.1 * factors[variant] : base * factors[variant]
    }
    let best = seen.map(mean).max() ?? 0
    let own = seen.map { counts[$0] }
    let regret = seen.reduce(0) { $0 + Double(counts[$1]) * (best - mean($1)) }
    return (bounds?.interval(own), regret, estimate.regret(own) ?? .nan)
  }

  /// The variant and its propensity, where the policy logs one.
  private static func choose(
    _ setting: Setting, _ number: Int, _ counts: [Int], _ sums: [Double], _ base: Double,
    _ random: inout SeededGenerator
  ) -> (Int, Double?) {
    let all = setting.variants
    switch setting.policy {
    case .uniform: return (random.index(all), 1 / Double(all))
    case .unlogged: return (random.index(all), nil)
    case .epsilonGreedy:
      let means = counts.indices.map { counts[$0] > 0 ? sums[$0] / Double(counts[$0]) : 1e9 }
      let greedy = means.firstIndex(of: means.max() ?? 0) ?? 0
      let chosen = random.chance(0.1) ? random.index(all) : greedy
      return (chosen, 0.1 / Double(all) + (chosen == greedy ? 0.9 : 0))
    case .thompson:
      // Normal posteriors with the spread of the rewards.
      let deviation = setting.rewards == .normal ? 1 : base.squareRoot()
      let draws = counts.indices.map { variant in
        let count = Double(counts[variant])
        return (sums[variant] + base) / (count + 1) + deviation / (count + 1).squareRoot()
          * normal(&random)
      }
      return (draws.firstIndex(of: draws.max() ?? 0) ?? 0, nil)
    }
  }

  private static func normal(_ random: inout SeededGenerator) -> Double {
    Draw.normal(mean: 0, standardDeviation: 1, using: &random)
  }
}
