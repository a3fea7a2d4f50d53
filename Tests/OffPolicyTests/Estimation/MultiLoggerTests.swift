import Specifications
import Testing

@testable import OffPolicy
@testable import Statistics

@Suite("Off-policy estimators for several logging policies")
struct MultiLoggerTests {
  private static let names = ["multi-weighted-ips", "multi-weighted-dr"]

  private func term(_ name: String, _ d: LoggedDecision) -> Double {
    name == "multi-weighted-ips"
      ? d.weight * d.reward : d.expected + d.weight * (d.reward - d.modelled)
  }

  private func sums(_ name: String, _ units: [[LoggedDecision]]) throws -> OffPolicySums {
    let estimator = try EstimatorCatalog.standard.named(name)
    return units.reduce(into: OffPolicySums(estimator)) { $0.add(unit: $1.span) }
  }

  /// Random units whose decisions are of three loggers; the units of one logger are rare.
  private func randomUnits(using random: inout Xoshiro256) -> [[LoggedDecision]] {
    let decisions = randomDecisions(80, using: &random)
    return OffPolicyTests.randomUnits(decisions, largest: 4, using: &random).map { unit in
      unit.map {
        var decision = $0
        decision.logger = [4, 4, 4, 7, 7, 9][Draw.index(below: 6, using: &random)]
        return decision
      }
    }
  }

  /// Mean and squared standard error of the terms of the decisions that pass, by unit, and the influence of each unit
  /// on the mean.
  private func mean(
    _ name: String, _ units: [[LoggedDecision]], where passes: (LoggedDecision) -> Bool
  ) -> (mean: Double, variance: Double?, influences: [Double], count: Double) {
    let parts = units.map { $0.filter(passes).map { term(name, $0) } }
    let n = parts.reduce(0.0) { $0 + Double($1.count) }
    let mean = parts.joined().reduce(0, +) / n
    let influences = parts.map { ($0.reduce(0, +) - mean * Double($0.count)) / n }
    let u = Double(parts.filter { !$0.isEmpty }.count)
    let variance = u > 1 ? influences.reduce(0) { $0 + $1 * $1 } * u / (u - 1) : nil
    return (mean, variance, influences, n)
  }

  @Test("the mean of the loggers' estimates by inverse variance", arguments: names)
  func twin(name: String) throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomUnits(using: &random)
      let loggers = Set(units.joined().map(\.logger)).map { logger in
        mean(name, units) { $0.logger == logger }
      }
      let all = mean(name, units) { _ in true }
      let precisions = loggers.map { logger in
        1 / (logger.variance ?? (all.variance ?? .nan) * all.count / logger.count)
      }
      let shares = precisions.map { $0 / precisions.reduce(0, +) }
      let value = zip(shares, loggers).reduce(0) { $0 + $1.0 * $1.1.mean }
      let u = Double(units.count)
      let influences = units.indices.map { unit in
        zip(shares, loggers).reduce(0) { $0 + $1.0 * $1.1.influences[unit] }
      }
      let error = (influences.reduce(0) { $0 + $1 * $1 } * u / (u - 1)).squareRoot()
      let sums = try sums(name, units)
      expectClose(sums.value.map { $0 + 10 }, value + 10, 1e-10)
      expectClose(sums.spread, error, 1e-8)
      #expect(sums.count == 80 && sums.units == units.count, "seed \(seed)")
    }
  }

  @Test("parts merge in any order to the same sums", arguments: names)
  func merging(name: String) throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomUnits(using: &random)
      let whole = try sums(name, units)
      var parts = [[[LoggedDecision]]](repeating: [], count: 4)
      for unit in units.shuffled(using: &random) {
        parts[Draw.index(below: 4, using: &random)].append(unit.shuffled(using: &random))
      }
      let sums = try parts.shuffled(using: &random).map { try self.sums(name, $0) }
      let merged = sums.dropFirst().reduce(into: sums[0]) { $0.merge($1) }
      #expect(merged == whole && merged.value == whole.value, "seed \(seed)")
      #expect(merged.standardError == whole.standardError, "seed \(seed)")
    }
  }

  @Test("with one logger it is IPS or DR exactly")
  func oneLogger() throws {
    for seed in 0..<30 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = OffPolicyTests.randomUnits(
        randomDecisions(40, using: &random), largest: 3, using: &random)
      for (name, same) in [("multi-weighted-ips", "ips"), ("multi-weighted-dr", "dr")] {
        let (found, expected) = (try sums(name, units), try sums(same, units))
        #expect(found.value == expected.value, "\(name), seed \(seed)")
        expectClose(found.spread, expected.spread ?? .nan, 1e-12)
      }
    }
  }

  @Test("a logger without any reward does not take all the weight")
  func withoutVariance() throws {
    var decisions: [LoggedDecision] = []
    for index in 0..<100 {
      var decision = try #require(LoggedDecision(reward: index % 2 == 0 ? 1 : 0, weight: 1))
      decision.logger = 1
      decisions.append(decision)
    }
    for _ in 0..<100 {
      var decision = try #require(LoggedDecision(reward: 0, weight: 1))
      decision.logger = 2
      decisions.append(decision)
    }
    // The variances per decision are 1/4 and that of both together, 3/16: shares of 3/7 and 4/7.
    let value = try sums("multi-weighted-ips", decisions.map { [$0] }).value
    expectClose(value, 0.5 * 3 / 7, 0.01)
    let none = try sums("multi-weighted-ips", decisions[100...].map { [$0] })
    #expect(none.value == 0 && none.missingError == .noReward)
  }

  @Test("all are unbiased; balanced and weighted have smaller standard errors than naive IPS")
  func simulated() throws {
    // The second logger rarely chooses what the target policy prefers.
    let loggers = [[0.3, 0.3, 0.4], [0.9, 0.08, 0.02]]
    let (target, means) = ([0.1, 0.2, 0.7], [0.3, 0.5, 0.6])
    let truth = zip(target, means).reduce(0) { $0 + $1.0 * $1.1 }
    var sums = try ["multi-ips", "multi-balanced-ips", "multi-weighted-ips"].map {
      OffPolicySums(try EstimatorCatalog.standard.named($0))
    }
    var random = Xoshiro256(seed: 3)
    for _ in 0..<40_000 {
      let logger = Draw.index(below: 2, using: &random)
      let variant = Draw.index(weights: loggers[logger], using: &random)
      let reward = Draw.bernoulli(means[variant], using: &random) ? 1.0 : 0
      let mixture = (loggers[0][variant] + loggers[1][variant]) / 2
      for (index, propensity) in [loggers[logger][variant], mixture, loggers[logger][variant]]
        .enumerated()
      {
        var decision = try #require(
          LoggedDecision(reward: reward, propensity: propensity, target: target[variant]))
        decision.logger = UInt32(logger)
        sums[index].add(decision)
      }
    }
    let errors = sums.compactMap(\.standardError)
    for (sums, error) in zip(sums, errors) {
      let deviation = ((sums.value ?? .nan) - truth) / error
      #expect(abs(deviation) < 4.5, "\(sums.estimator.specification): \(deviation)")
    }
    #expect(errors[1] < errors[0] && errors[2] < errors[0], "\(errors)")
  }
}
