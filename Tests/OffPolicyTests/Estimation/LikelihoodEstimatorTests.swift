import Testing

@testable import OffPolicy
@testable import Specifications
@testable import Statistics

@Suite("Cressie-Read and empirical likelihood estimators")
struct LikelihoodEstimatorTests {
  private static let names = [
    "cressie-read", "cressie-read:wmax=200", "empirical-likelihood",
    "empirical-likelihood:wmax=200",
  ]

  /// Decisions with weights of moderate size and rewards 0 or 1.
  private func decisions(_ count: Int, using random: inout Xoshiro256) -> [LoggedDecision] {
    (0..<count).compactMap { _ in
      LoggedDecision(
        reward: Draw.bernoulli(0.4, using: &random) ? 1 : 0,
        weight: Draw.bernoulli(0.3, using: &random)
          ? 0 : -1.4 * Double.log(Draw.openUnit(using: &random)))
    }
  }

  private func sums(_ name: String, _ decisions: [LoggedDecision]) throws -> OffPolicySums {
    try TermEstimatorTests.sums(name, decisions)
  }

  /// The weights of least divergence with a mean of 1, one decision at a time: with the decision added at the extreme,
  /// a quadratic problem whose solution is linear in w.
  private func naiveCressieRead(_ all: [LoggedDecision], wmax: Double) -> Double {
    let n = Double(all.count)
    let extreme = all.reduce(0) { $0 + $1.weight } < n ? wmax : 0
    let weights = all.map(\.weight) + [extreme]
    let (sum, squares) = (weights.reduce(0, +), weights.reduce(0) { $0 + $1 * $1 })
    // q = (x + y·w)/(n + 1) with Σq = 1 and Σqw = 1.
    let (a, b) = (sum / (n + 1), squares / (n + 1))
    let y = (1 - a) / (b - a * a)
    let x = 1 - y * a
    let shares = all.map { (x + y * $0.weight) / (n + 1) * $0.weight }
    let mean = all.reduce(0) { $0 + $1.reward } / n
    return zip(shares, all).reduce(0) { $0 + $1.0 * $1.1.reward }
      + max(0, 1 - shares.reduce(0, +)) * mean
  }

  /// The probabilities of greatest likelihood, by bisection of the multiplier over single decisions.
  private func naiveLikelihood(_ all: [LoggedDecision], wmax: Double) -> Double {
    let n = Double(all.count)
    var low = all.filter { $0.weight > 1 }.map { (n - 1) / (1 - $0.weight) }.max() ?? -n
    var high = all.filter { $0.weight < 1 }.map { (n - 1) / (1 - $0.weight) }.min() ?? n
    low = max(low, n / (1 - wmax))
    high = min(high, n)
    let slope = { beta in all.reduce(0) { $0 + ($1.weight - 1) / (($1.weight - 1) * beta + n) } }
    for _ in 0..<200 {
      let middle = (low + high) / 2
      if slope(middle) > 0 { low = middle } else { high = middle }
    }
    let shares = all.map { $0.weight / (($0.weight - 1) * low + n) }
    let mean = all.reduce(0) { $0 + $1.reward } / n
    return zip(shares, all).reduce(0) { $0 + $1.0 * $1.1.reward }
      + max(0, 1 - shares.reduce(0, +)) * mean
  }

  @Test("values are those of the reweighted decisions")
  func twin() throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let all = decisions(40, using: &random)
      expectClose(
        try sums("cressie-read:wmax=200", all).value, naiveCressieRead(all, wmax: 200), 1e-9)
      expectClose(
        try sums("empirical-likelihood:wmax=200", all).value, naiveLikelihood(all, wmax: 200), 1e-6)
    }
  }

  @Test("with a mean weight of 1 already, nothing is reweighted", arguments: names)
  func balanced(name: String) throws {
    let all = (0..<40).compactMap {
      LoggedDecision(reward: $0 % 3 == 0 ? 1 : 0, weight: 1)
    }
    let sums = try sums(name, all)
    expectClose(sums.value, 14.0 / 40, 0.03)
    #expect(sums.count == 40 && sums.units == 40 && sums.matched == 40)
  }

  @Test("the examples of vw-estimators: one rewarded decision, and ten")
  func examples() throws {
    let one = try #require(LoggedDecision(reward: 1, propensity: 0.3, target: 0.6))
    for (name, value) in [
      ("ips", 2.0), ("snips", 1), ("cressie-read", 1), ("empirical-likelihood", 1),
    ] {
      expectClose(try sums(name, [one]).value, value)
    }
    let ten = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].compactMap {
      LoggedDecision(reward: 1, propensity: 0.5, target: $0)
    }
    for name in ["snips", "cressie-read", "empirical-likelihood"] {
      expectClose(try sums(name, ten).value, 1)
    }
  }

  @Test("estimates stay between the rewards", arguments: names)
  func bounded(name: String) throws {
    for seed in 0..<40 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let all = decisions(5 + Int(seed), using: &random)
      let value = try sums(name, all).value ?? .nan
      // Cressie-Read's weights may be slightly negative.
      #expect(value >= -0.05 && value <= 1.05, "seed \(seed): \(value)")
    }
  }

  @Test("the standard error is about that of the jackknife", arguments: names)
  func jackknife(name: String) throws {
    for seed in 0..<3 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let all = decisions(120, using: &random)
      let left = try all.indices.map { index in
        try sums(name, Array(all[..<index] + all[(index + 1)...])).value ?? .nan
      }
      let spread = Moments(left).variance ?? .nan
      let expected = (spread * 119 * 119 / 120).squareRoot()
      expectClose(try sums(name, all).standardError, expected, 0.1)
    }
  }

  @Test("parts, groups and units merge to the same sums", arguments: names)
  func merging(name: String) throws {
    let estimator = try EstimatorCatalog.standard.named(name)
    for seed in 0..<10 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomUnits(decisions(60, using: &random), largest: 3, using: &random)
      var whole = units.reduce(into: OffPolicySums(estimator)) { $0.add(unit: $1.span) }
      var parts = [OffPolicySums](repeating: OffPolicySums(estimator), count: 3)
      for unit in units.shuffled(using: &random) {
        parts[Draw.index(below: 3, using: &random)].add(unit: unit.shuffled(using: &random).span)
      }
      let extra = try #require(LoggedDecision(reward: 1, weight: 0.5))
      for _ in 0..<4 { whole.add(extra) }
      parts[1].add(extra, times: 4)
      let merged = parts.shuffled(using: &random).reduce(into: OffPolicySums(estimator)) {
        $0.merge($1)
      }
      #expect(merged == whole && merged.value == whole.value, "seed \(seed)")
      #expect(merged.standardError == whole.standardError && merged.units == whole.units)
    }
  }

  @Test("beyond the limit, similar pairs are merged, in any order to the same table")
  func table() throws {
    for seed in 0..<4 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let all = decisions(2000, using: &random)
      let exact = all.reduce(into: WeightedRewardTable(limit: 10_000)) { $0.add($1, times: 1) }
      #expect(exact.bits == 52 && exact.pairs.reduce(0) { $0 + $1.count } == 2000)
      let whole = all.reduce(into: WeightedRewardTable(limit: 300)) { $0.add($1, times: 1) }
      #expect(whole.bits < 52 && whole.pairs.count <= 300)
      var parts = [WeightedRewardTable](repeating: WeightedRewardTable(limit: 300), count: 4)
      for decision in all.shuffled(using: &random) {
        parts[Draw.index(below: 4, using: &random)].add(decision, times: 1)
      }
      let merged = parts.reduce(into: WeightedRewardTable(limit: 300)) { $0.merge($1) }
      #expect(merged == whole && merged.pairs == whole.pairs, "seed \(seed)")
      let fine = try sums("empirical-likelihood", all).value ?? .nan
      expectClose(try sums("empirical-likelihood:pairs=300", all).value, fine, 1e-3)
    }
  }

  @Test("without decisions there is no value", arguments: names)
  func nothing(name: String) throws {
    let none = try sums(name, [])
    #expect(none.value == nil && none.standardError == nil && none.count == 0)
    #expect(throws: SpecificationError.self) {
      try EstimatorCatalog.standard.named("cressie-read:wmin=1")
    }
  }
}
