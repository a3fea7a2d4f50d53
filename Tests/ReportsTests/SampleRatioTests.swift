import EventLog
import Events
import Foundation
import Specifications
import Statistics
import TestSupport
import Testing

@testable import Replay
@testable import Reports

private let isLong = LongTests.areWanted

@Suite("The test of sample ratio mismatch")
struct SampleRatioTests {
  // MARK: Both reports

  private func decision(
    _ unit: Int, _ variant: String, _ propensity: Double?, _ probabilities: [String: Double] = [:]
  ) -> Event {
    var decision = Decision(
      experiment: "e", variant: VariantID(variant), propensity: propensity)
    let names = probabilities.keys.sorted()
    decision.choices = names.map { VariantID($0) }
    decision.probabilities = names.map { probabilities[$0] ?? 0 }
    return Event(
      time: Timestamp(microseconds: Int64(unit)), unit: UnitID("u\(unit)"),
      payload: .decision(decision))
  }

  /// The p-values of both reports, and what health says of it.
  private func both(_ events: [Event], probabilities: Bool = true) throws -> (
    health: Double?, compare: Double?, detail: String
  ) {
    let log = try ComparisonLog(events)
    var projector = HealthProjector()
    projector.readsProbabilities = probabilities
    let tallies = try LogReplay(log.reader, jobs: 2).run(UnitSelection(), units: projector)
    let evidence = HealthEvidence(
      tallies: tallies, propensities: PropensityTallies(), absent: .init(), unreadable: 0,
      positions: 0)
    let check = try #require(
      HealthReport.checks(evidence, names: log.names).first { $0.name == .sampleRatio })
    let row = try #require(
      try log.table(["reward"]) { $0.readsProbabilities = probabilities }.named.first)
    return (check.pValue, row.number("srm_p_value"), check.detail)
  }

  @Test(
    "compare and health expect the same, as the log says: logged shares of 80 to 20 are no mismatch"
  )
  func unequal() throws {
    var random = SeededGenerator(seed: 4)
    let events = (0..<2_000).map { number in
      let isFirst = random.chance(0.8)
      return decision(number, isFirst ? "a" : "b", isFirst ? 0.8 : 0.2)
    }
    let found = try both(events)
    #expect(found.health == found.compare && (found.health ?? 0) > 0.001)
    #expect(found.detail == "chi-squared, 1 df; logged propensities")
    let equal = try both(
      events.map { event in
        guard case .decision(var decision) = event.payload else { return event }
        decision.propensity = nil
        var bare = event
        bare.payload = .decision(decision)
        return bare
      })
    #expect(equal.health == equal.compare && (equal.health ?? 1) < 1e-50)
    #expect(equal.detail.hasSuffix("equal shares, because no propensity is logged"))
  }

  @Test("both reports agree on every kind of log", arguments: 0..<24)
  func agreement(seed: UInt64) throws {
    var random = SeededGenerator(seed: 100 + seed)
    let variants = Array(["a", "b", "c"].prefix(seed % 2 == 0 ? 2 : 3))
    let (isAdaptive, hasProbabilities) = (seed / 2 % 2 == 0, seed / 4 % 2 == 0)
    let events = (0..<400).map { number in
      let lead = isAdaptive ? 0.4 + 0.5 * Double(number) / 400 : 0.5
      var shares: [String: Double] = [:]
      for variant in variants {
        shares[variant] = variant == "a" ? lead : (1 - lead) / Double(variants.count - 1)
      }
      var (left, chosen) = (Double.random(in: 0..<1, using: &random), "a")
      for variant in variants {
        chosen = variant
        left -= shares[variant] ?? 0
        if left < 0 { break }
      }
      return decision(number, chosen, shares[chosen], hasProbabilities ? shares : [:])
    }
    let found = try both(events)
    #expect(found.health == found.compare && found.health != nil, "seed \(100 + seed)")
    #expect((found.health ?? 0) > 1e-4, "seed \(100 + seed)")
    // A database keeps no probabilities, which change nothing where propensities say as much.
    let kept = try both(events, probabilities: false)
    #expect(kept.health == kept.compare)
    if !isAdaptive || variants.count == 2 { #expect(kept.health == found.health) }
  }

  /// 60 decisions, half of them each for a and b, that list choices and log no probabilities.
  private func listing(
    _ propensity: Double? = nil, _ choices: (Int) -> [VariantID]
  ) -> [Event] {
    (0..<60).map { number in
      var event = decision(number, number % 2 == 0 ? "a" : "b", propensity)
      if case .decision(var decision) = event.payload {
        (decision.choices, decision.probabilities) = (choices(number), nil)
        event.payload = .decision(decision)
      }
      return event
    }
  }

  @Test("a choice that nobody got counts, with and without propensities")
  func unseenChoice() throws {
    let equal = try both(listing { _ in ["a", "b"] })
    #expect(equal.health == 1 && equal.compare == 1)
    // 30, 30 and 0 of 20 expected each: chi-squared of 30 with 2 df.
    let missing = try both(listing { _ in ["a", "b", "c"] })
    #expect(abs((missing.health ?? 1) / 3.059023205018258e-7 - 1) < 1e-9)
    #expect(missing.compare == missing.health)
    #expect(missing.detail == "chi-squared, 2 df; equal shares, because no propensity is logged")
    let logged = try both(listing(1 / 3.0) { _ in ["a", "b", "c"] })
    #expect(logged.health == logged.compare && (logged.health ?? 1) < 1e-6)
    // A log whose decisions list nothing knows of no third choice.
    #expect(try both(listing { _ in [] }).health == 1)
  }

  @Test("choices that change have equal shares among those of each decision")
  func changingChoices() throws {
    let some = try both(listing { $0 < 30 ? ["a", "b"] : ["a", "b", "c"] })
    #expect(some.health == some.compare && (some.health ?? 1) < 0.05)
    #expect(some.detail.hasSuffix("because no propensity is logged"))
    let unlisted = try both(listing { $0 < 20 ? [] : $0 < 40 ? ["a", "b"] : ["a", "b", "c"] })
    #expect(unlisted.health == nil && unlisted.compare == nil)
    #expect(unlisted.detail.hasPrefix("20 of 60 first exposures do not list their choices"))
    // The same choices in another order are the same.
    let mixed = try both(listing { $0 < 30 ? ["a", "c", "b"] : ["c", "b", "a"] })
    #expect(mixed.health == (try both(listing { _ in ["a", "b", "c"] })).health)
  }

  @Test("one variant of two choices is a mismatch in both reports")
  func loneVariant() throws {
    let events = (0..<60).map { number in
      var event = decision(number, "a", nil)
      if case .decision(var decision) = event.payload {
        (decision.choices, decision.probabilities) = (["a", "b"], nil)
        event.payload = .decision(decision)
      }
      return event
    }
    let found = try both(events)
    #expect(found.health == found.compare && (found.health ?? 1) < 1e-10)
  }

  @Test("propensities of two variants that change leave room for a third choice")
  func thirdChoice() throws {
    var events = listing { _ in ["a", "b", "c"] }
    for index in events.indices {
      guard case .decision(var decision) = events[index].payload else { continue }
      decision.propensity = index < 30 ? 0.45 : 0.4
      events[index].payload = .decision(decision)
    }
    let found = try both(events)
    #expect(found.health == found.compare && found.detail.contains("sums of 1/p"))
  }

  @Test("a unit's first exposure alone counts, a repeated one too where it is the first")
  func firstExposures() throws {
    var events: [Event] = []
    for number in 0..<60 {
      events.append(decision(number, number % 2 == 0 ? "a" : "b", 0.5))
      for _ in 0..<5 {
        var again = decision(number, number % 2 == 0 ? "a" : "b", 0.9)
        if case .decision(var repeated) = again.payload {
          repeated.status = .repeated
          again.payload = .decision(repeated)
        }
        again.time.microseconds = 1_000
        events.append(again)
      }
    }
    let found = try both(events)
    #expect(found.health == 1 && found.compare == 1)
  }

  // MARK: Reference numbers

  @Test("few units are tested by the exact binomial distribution")
  func exact() throws {
    // scipy 1.17: twice the smaller tail of binom.
    let cases: [(Int, Int, Double, Double)] = [
      (9, 9, 0.5, 0.00390625), (0, 9, 0.5, 0.00390625), (1, 100, 0.02, 0.8065434215640077),
      (5, 100, 0.02, 0.10166089073900073),
    ]
    for (count, total, share, expected) in cases {
      let found = try #require(
        SampleRatio.exact(counts: [count, total - count], shares: [share, 1 - share]))
      #expect(abs(found / expected - 1) < 1e-9)
    }
    #expect(SampleRatio.exact(counts: [3, 3], shares: [1, 1]) == 1)
    #expect(SampleRatio.exact(counts: [1, 3], shares: [0, 1]) == nil)
    #expect(SampleRatio.exact(counts: [1, 3, 2], shares: [0, 1, 1]) == 0)
  }

  @Test("sums of probabilities: the normal distribution, and Bennett's bound for small variances")
  func summed() throws {
    let large = try #require(SampleRatio.summed([(112, 100, 30.25), (88, 100, 30.25)]))
    #expect(abs(large.pValue / 0.029122954152385052 - 1) < 1e-9)
    let small = try #require(SampleRatio.summed([(28, 20, 10), (12, 20, 10)]))
    #expect(abs(small.pValue / 0.15152376711679091 - 1) < 1e-9)
    // With shares that never change it is Pearson's.
    let pearson = try #require(SampleRatio.chiSquared(counts: [830, 170], shares: [0.8, 0.2]))
    let sums = try #require(SampleRatio.summed([(830, 800, 160), (170, 200, 160)]))
    #expect(abs(sums.statistic - pearson.statistic) < 1e-9)
    #expect(abs(sums.pValue - pearson.pValue) < 1e-9)
    #expect(SampleRatio.summed([(5, 5, 0), (5, 5, 0)]) == nil)
  }

  @Test("sums of propensities can be taken out again, and know what never changed")
  func sums() {
    var sums = PropensitySums()
    for _ in 0..<7 { sums.add(0.8) }
    #expect(sums.mean == 0.8 && sums.isConstant && sums.known == 7)
    var others = PropensitySums()
    for propensity in [0.1, 1, 1e-5, 0, -1, 2, .nan, 1e-9] { others.add(propensity) }
    #expect(others.unusable == 5 && !others.isConstant)
    var all = sums
    all.merge(others)
    #expect(!all.isConstant)
    all.subtract(others)
    #expect(all == sums)
  }

  // MARK: Size and power

  enum Policy: String, CaseIterable { case equal, unequal, thompson, epsilonGreedy }
  enum Logged: String, CaseIterable { case probabilities, propensities }

  struct Setting: CustomTestStringConvertible {
    var policy: Policy
    var logged: Logged
    var variants: Int
    /// What the first variant gets beyond its probability.
    var excess = 0.0
    var units: Int

    var testDescription: String {
      "\(policy.rawValue), \(logged.rawValue), \(variants) variants, \(units) units, excess \(excess)"
    }
  }

  static let honest: [Setting] = Policy.allCases.flatMap { policy in
    Logged.allCases.flatMap { logged in
      [(2, 200), (2, 2_000), (5, 2_000)].map {
        Setting(policy: policy, logged: logged, variants: $0.0, units: $0.1)
      }
    }
  }

  static let broken: [Setting] = Policy.allCases.flatMap { policy in
    Logged.allCases.flatMap { logged in
      [2, 5].map {
        Setting(policy: policy, logged: logged, variants: $0, excess: 0.05, units: 10_000)
      }
    }
  }

  private func pValues(_ setting: Setting, _ logs: Int) -> [Double] {
    (0..<UInt64(logs)).compactMap { seed in
      var random = SeededGenerator(seed: seed &* 49_979_687 &+ UInt64(setting.units))
      return SampleRatioFinding(allocation(setting, &random).intention(nil)).pValue
    }
  }

  /// An A/A log in which every unit converts at 10 %.
  private func allocation(_ setting: Setting, _ random: inout SeededGenerator) -> UnitAllocation {
    let count = setting.variants
    var arms = (0..<count).map {
      UnitAllocation.Arm(
        variant: "v\($0)", units: 0, withoutPropensity: 0, propensities: PropensitySums())
    }
    var (sums, squares) = (
      Array(repeating: 0.0, count: count), Array(repeating: 0.0, count: count)
    )
    var tallies = Array(repeating: (successes: 0.0, trials: 0.0), count: count)
    for _ in 0..<setting.units {
      let shares = shares(setting.policy, tallies)
      var given = shares
      if setting.excess > 0 {
        let moved = min(setting.excess, 1 - given[0])
        let rest = 1 - given[0]
        for index in 1..<count { given[index] *= rest > 0 ? (rest - moved) / rest : 0 }
        given[0] += moved
      }
      var (left, chosen) = (Double.random(in: 0..<1, using: &random), count - 1)
      for index in 0..<count {
        left -= given[index]
        if left < 0 {
          chosen = index
          break
        }
      }
      arms[chosen].units += 1
      arms[chosen].propensities.add(shares[chosen])
      for index in 0..<count {
        sums[index] += shares[index]
        squares[index] += shares[index] * shares[index]
      }
      tallies[chosen].trials += 1
      if random.chance(0.1) { tallies[chosen].successes += 1 }
    }
    var allocation = UnitAllocation(arms.filter { $0.units > 0 })
    if setting.logged == .probabilities {
      allocation.logged.units = setting.units
      allocation.logged.variants = (0..<count).map {
        ("v\($0)", sums[$0], sums[$0] - squares[$0])
      }
    }
    return allocation
  }

  /// The probabilities that a policy gives variants: those of Thompson sampling by the normal approximation of two, else by the
  /// softmax of as many standard errors.
  private func shares(_ policy: Policy, _ tallies: [(successes: Double, trials: Double)])
    -> [Double]
  {
    let count = Double(tallies.count)
    switch policy {
    case .equal: return tallies.map { _ in 1 / count }
    case .unequal:
      return tallies.indices.map { $0 == 0 ? 0.8 : 0.2 / (count - 1) }
    case .epsilonGreedy:
      let means = tallies.map { $0.trials > 0 ? $0.successes / $0.trials : 1 }
      let best = means.firstIndex(of: means.max() ?? 0) ?? 0
      return tallies.indices.map { 0.1 / count + ($0 == best ? 0.9 : 0) }
    case .thompson:
      let means = tallies.map { ($0.successes + 1) / ($0.trials + 10) }
      if tallies.count == 2 {
        let variance = zip(means, tallies).reduce(0) { $0 + $1.0 * (1 - $1.0) / ($1.1.trials + 10) }
        let first = StandardNormal.cdf((means[0] - means[1]) / variance.squareRoot())
        return [first, 1 - first]
      }
      let scores = zip(means, tallies).map { exp(($0 - 0.1) * ($1.trials + 10).squareRoot() / 0.3) }
      let whole = scores.reduce(0, +)
      return scores.map { $0 / whole }
    }
  }

  @Test(
    "logs without a mismatch are called one at most as often as the level says", arguments: honest)
  func size(setting: Setting) {
    let logs = isLong ? 2_000 : 100
    let found = pValues(setting, logs)
    let below = { (level: Double) in found.count { $0 < level } }
    if isLong {
      print(
        "sample ratio: \(setting.testDescription): tested \(found.count) of \(logs), p < 0.05 \(below(0.05)), "
          + "p < 0.01 \(below(0.01)), p < 0.001 \(below(0.001))")
    }
    // Of 2,000 logs 100, 20 and 2 on average; four standard deviations and a little more for few.
    #expect(below(0.05) <= (isLong ? 139 : 14), "\(below(0.05)) of \(logs)")
    #expect(below(0.001) <= (isLong ? 9 : 3), "\(below(0.001)) of \(logs)")
  }

  @Test("a real mismatch of five points among 10,000 units is found", arguments: broken)
  func power(setting: Setting) {
    let logs = isLong ? 100 : 4
    let found = pValues(setting, logs).count { $0 < 0.001 }
    if isLong { print("sample ratio: \(setting.testDescription): found \(found) of \(logs)") }
    #expect(Double(found) >= 0.9 * Double(logs), "\(found) of \(logs)")
  }
}
