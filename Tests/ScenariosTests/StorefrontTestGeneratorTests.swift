import Events
import Scenarios
import Statistics
import Testing

/// The A/B tests of the shop.
@Suite("Storefront: the A/B tests")
struct StorefrontTestGeneratorTests {
  private static let names = ["free-shipping", "search-box", "redesign", "one-click"]

  /// What a large log has of one variant.
  private struct Arm {
    var decisions = 0
    var buyers = 0
    var rewards = Moments()
  }

  /// Logs of 150,000 events of A/B tests, about 27,000 visitors of each.
  private static let logs = Result {
    try (1...3).map { try StorefrontLog(events: 150_000, seed: $0, name: "storefront:tests=100") }
  }

  /// The arms of each test, the first of which is `control`.
  private func arms(_ log: StorefrontLog) -> [String: [Arm]] {
    var units: [String: (experiment: String, variant: String, reward: Double, isBuyer: Bool)] = [:]
    for row in log.rows where row.isDrawn { units[row.unit] = (row.experiment, row.variant, 0, false) }
    for row in log.rows where row.kind == .goal {
      units[row.unit]?.reward += row.value ?? 1
      if row.goal != "refund" { units[row.unit]?.isBuyer = true }
    }
    var arms: [String: [Arm]] = [:]
    for unit in units.values {
      let index = unit.variant == "control" ? 0 : 1
      arms[unit.experiment, default: [Arm(), Arm()]][index].decisions += 1
      if unit.isBuyer { arms[unit.experiment]?[index].buyers += 1 }
      arms[unit.experiment]?[index].rewards.add(unit.reward)
    }
    return arms
  }

  @Test("the other experiments have the events of a shorter log without tests")
  func others() throws {
    let alone = try StorefrontLog(events: 2_000, seed: 7)
    let merged = try StorefrontLog(events: 5_000, seed: 7, name: "storefront:tests=60")
    let shop = merged.rows.filter { !$0.unit.hasPrefix("v-") }
    let said = { (row: StorefrontLog.Row) in
      "\(row.time) \(row.kind) \(row.unit) \(row.variant) \(row.propensity ?? 0) \(row.value ?? 0)"
    }
    #expect(shop.map(said) == alone.rows.map(said))
    #expect(Array(merged.truth.experiments.prefix(4)) == alone.truth.experiments)
    #expect(merged.truth.conversions == alone.truth.conversions)
    #expect(merged.truth.experiments.dropFirst(4).map(\.experiment) == Self.names)
  }

  @Test("the events of a seed never change from one version to the next")
  func golden() throws {
    let log = try StorefrontLog(events: 5_000, seed: 42, name: "storefront:tests=60")
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for row in log.rows {
      let said = "\(row.time) \(row.unit) \(row.variant) \(row.goal ?? "") \(row.value ?? 0)"
      for byte in said.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    #expect(hash == 8_375_716_830_330_720_210)
    let other = try StorefrontLog(events: 5_000, seed: 43, name: "storefront:tests=60")
    #expect(log.rows.map(\.time) != other.rows.map(\.time))
  }

  @Test(
    "the requested number of events is generated, and the truth counts them",
    arguments: [0, 1, 3, 4, 7, 99, 1_000, 4_321], [1, 60, 100])
  func counts(events: Int, share: Int) throws {
    for seed in 0..<5 as Range<UInt64> {
      let log = try StorefrontLog(events: events, seed: seed, name: "storefront:tests=\(share)")
      let (rows, counts) = (log.rows, log.truth.counts)
      #expect(rows.count == events && log.truth.events == events, "seed \(seed)")
      #expect(rows.count { $0.unit.hasPrefix("v-") } == events * share / 100)
      #expect(counts.units == Set(rows.map(\.unit)).count)
      #expect(counts.confirmed == rows.count { $0.kind == .decision && $0.status == nil })
      #expect(counts.repeated == rows.count { $0.status == .repeated })
      #expect(counts.accepted == rows.count { $0.kind == .goal && $0.status == nil })
      #expect(counts.dataPoints == rows.count { $0.kind == .dataPoint })
      var latest = Timestamp.earliest
      var late = 0
      for row in rows {
        if row.time < latest { late += 1 }
        latest = max(latest, row.time)
      }
      #expect(counts.outOfOrder == late)
    }
  }

  @Test("a visitor gets one variant of one test, once, and what follows is later", arguments: [7, 30])
  func visitors(days: Int) throws {
    let log = try StorefrontLog(events: 60_000, seed: 5, name: "storefront:days=\(days),tests=100")
    var decided: [String: StorefrontLog.Row] = [:]
    var bought: [String: StorefrontLog.Row] = [:]
    var refunds = 0
    for (row, next) in zip(log.rows, log.rows.dropFirst()) { #expect(row.time <= next.time) }
    for row in log.rows where row.kind != .dataPoint {
      guard row.isDrawn else {
        let decision = try #require(decided[row.unit])
        #expect(row.time > decision.time && row.experiment == decision.experiment)
        if row.status == .repeated { #expect(row.variant == decision.variant && row.propensity == 0.5) }
        if row.goal == "refund" {
          let purchase = try #require(bought[row.unit])
          #expect(row.time > purchase.time && row.value == purchase.value.map { -$0 })
          refunds += 1
        } else if row.kind == .goal {
          #expect(bought.updateValue(row, forKey: row.unit) == nil)
        }
        continue
      }
      #expect(row.propensity == 0.5 && row.choices.count == 2 && row.choices[0] == "control")
      #expect(decided.updateValue(row, forKey: row.unit) == nil)
    }
    #expect(refunds > 200 && log.rows.count { $0.status == .repeated } > 5_000)
    let times = decided.values.map { Double($0.time.microseconds) / 86_400_000_000 }
    let span = try #require(times.max()) - #require(times.min())
    #expect(abs(span / Double(days) - 0.7) < 0.04, "\(span) days")
    let end = Double(try #require(log.rows.last).time.microseconds - 1_767_225_600_000_000) / 86_400_000_000
    #expect(end < Double(days) + 0.2)
  }

  @Test("rewards and rates are the true ones, within standard errors", arguments: 0..<3)
  func trueValues(log: Int) throws {
    let log = try Self.logs.get()[log]
    let arms = arms(log)
    for test in log.truth.experiments where Self.names.contains(test.experiment) {
      for (variant, arm) in zip(test.slots[0].variants, try #require(arms[test.experiment])) {
        let name = "seed \(log.truth.seed): \(test.experiment) \(variant.variant)"
        let n = Double(arm.decisions)
        #expect(variant.decisions == arm.decisions)
        let mean = try #require(arm.rewards.mean)
        #expect(abs(variant.rewardSum / n - mean) < 1e-9, "\(name)")
        let error = (variant.rewardVariance / n).squareRoot()
        #expect(abs(mean - variant.rewardMean) < 4.5 * error, "\(name): \(mean)")
        let variance = try #require(arm.rewards.variance)
        #expect(abs(variance / variant.rewardVariance - 1) < 0.1, "\(name): \(variance)")
        let effect = try #require(test.effects.first { $0.variant == variant.variant })
        // Visitors without a goal are missing from the log of redesign.
        let logged = variant.variant == "redesign" ? 1 - 0.2 * (1 - effect.mean) : 1
        let rate = effect.mean / logged
        let rateError = (rate * (1 - rate) / n).squareRoot()
        #expect(abs(Double(arm.buyers) / n - rate) < 4.5 * rateError, "\(name): \(arm.buyers) of \(n)")
      }
    }
  }

  @Test("units are split equally, except in the test whose split is broken", arguments: 0..<3)
  func split(log: Int) throws {
    let log = try Self.logs.get()[log]
    for (name, arms) in arms(log) {
      let n = Double(arms[0].decisions + arms[1].decisions)
      let share = Double(arms[1].decisions) / n
      let error = (0.25 / n).squareRoot()
      let truth = name == "redesign" ? 0.82 / 1.82 : 0.5
      #expect(abs(share - truth) < 4.5 * error, "seed \(log.truth.seed): \(name) \(share)")
      #expect((abs(share - 0.5) > 7 * error) == (name == "redesign"))
    }
  }

  @Test("the winner wins, and the other one earns less although more visitors buy", arguments: 0..<3)
  func outcomes(log: Int) throws {
    let arms = arms(try Self.logs.get()[log])
    func distance(_ name: String) throws -> (rate: Double, reward: Double) {
      let arms = try #require(arms[name])
      let values = try arms.map { arm -> (Double, Double, Double, Double) in
        let n = Double(arm.decisions)
        let rate = Double(arm.buyers) / n
        return (
          rate, rate * (1 - rate) / n, try #require(arm.rewards.mean), try #require(arm.rewards.variance) / n
        )
      }
      return (
        (values[1].0 - values[0].0) / (values[1].1 + values[0].1).squareRoot(),
        (values[1].2 - values[0].2) / (values[1].3 + values[0].3).squareRoot()
      )
    }
    let (winner, none, harmful) = (
      try distance("free-shipping"), try distance("search-box"), try distance("one-click")
    )
    #expect(winner.rate > 7 && winner.reward > 7)
    #expect(abs(none.rate) < 4.5 && abs(none.reward) < 4.5)
    #expect(harmful.rate > 7 && harmful.reward < -7)
  }

  @Test("the truth has the rate and the mean of each variant, the lift, and what is wrong")
  func truth() throws {
    let tests = try StorefrontLog(events: 0, seed: 1, name: "storefront:tests=60").truth.experiments.dropFirst(4)
    let metrics = Set(tests.flatMap(\.effects).map(\.metric))
    #expect(metrics == ["converted:goal=purchase", "converted:goal=search", "reward"])
    #expect(
      tests.map { $0.effects.map(\.mean) } == [
        [0.1, 0.15, 3.8, 5.2725], [0.5, 0.5, 0.5, 0.5], [0.1, 0.1, 4, 4], [0.12, 0.18, 4.56, 3.0375],
      ])
    #expect(
      tests.map { $0.effects.compactMap(\.lift) } == [
        [0.5, 0.3875], [0, 0], [0, 0], [0.5, -203 / 608],
      ])
    #expect(tests.map(\.slots[0].bestVariant) == ["free-shipping", "control", "control", "control"])
    for (test, words) in zip(tests, ["clear winner", "without an effect", "broken split", "guardrail"]) {
      #expect(test.about.contains(words) && test.isSticky && test.smallestPropensity == 0.5)
    }
  }
}
