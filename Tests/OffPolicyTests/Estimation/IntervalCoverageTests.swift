import TestSupport
import Testing

@testable import OffPolicy
@testable import Statistics

@Suite("Coverage of off-policy intervals")
struct IntervalCoverageTests {
  /// The number of simulated logs.
  private static let logs = LongTests.areWanted ? 1000 : 80

  /// Expects a share of covered logs within 2 % of the level for 1,000 logs, and within four binomial standard
  /// deviations for fewer.
  private func expectCoverage(
    _ covered: Int, of logs: Int = logs, atLeast: Bool = false, _ name: String
  ) {
    let n = Double(logs)
    let slack = max(0.02, logs < 1000 ? 4 * (0.95 * 0.05 / n).squareRoot() : 0)
    let share = Double(covered) / n
    #expect(share > 0.95 - slack && (atLeast || share < 0.95 + slack), "\(name): \(share)")
  }

  private func coverage(
    _ estimator: String, _ methods: [String], of simulated: SimulatedLog = .standard,
    count: Int = 400, wrongWeights: Double = 1
  ) throws -> [Int] {
    var covered = [Int](repeating: 0, count: methods.count)
    for seed in 0..<Self.logs {
      var random = Xoshiro256(seed: UInt64(seed))
      var estimate = try IntervalMethodTests.estimate(estimator, methods)
      for key in 0..<count {
        guard let right = simulated.decision(using: &random),
          let decision = LoggedDecision(
            reward: right.reward, weight: right.weight * wrongWeights, modelled: right.modelled,
            expected: right.expected)
        else { continue }
        estimate.add(decision, key: UInt64(seed) << 32 | UInt64(key))
      }
      for (index, interval) in estimate.intervals().enumerated()
      where interval?.contains(simulated.truth) == true { covered[index] += 1 }
    }
    return covered
  }

  @Test("intervals of a large sample", arguments: ["ips", "snips", "dr", "sndr", "cressie-read"])
  func large(estimator: String) throws {
    let methods = [
      "normal", "student-t",
      LongTests.areWanted ? "bootstrap:replicates=400" : "bootstrap:replicates=100",
    ]
    for (method, covered) in zip(methods, try coverage(estimator, methods)) {
      expectCoverage(covered, "\(estimator), \(method)")
    }
  }

  @Test(
    "of estimators that cut weights, the intervals that there are cover",
    arguments: [
      "clipped-ips:lambda=1", "clipped-ips", "clipped-ips:lambda=2.99", "sub-gaussian-ips",
      "sub-gaussian-ips:lambda=0.005", "slope", "cross-validated",
    ])
  func cut(estimator: String) throws {
    for count in [400, 1500] {
      var (covered, given) = (0, 0)
      for seed in 0..<Self.logs {
        var random = Xoshiro256(seed: UInt64(seed))
        var estimate = try IntervalMethodTests.estimate(estimator, ["normal"])
        for key in 0..<count {
          guard let decision = SimulatedLog.standard.decision(using: &random) else { continue }
          estimate.add(decision, key: UInt64(key))
        }
        guard let interval = estimate.intervals()[0] else { continue }
        given += 1
        if interval.contains(SimulatedLog.standard.truth) { covered += 1 }
      }
      guard given > Self.logs / 10 else { continue }
      expectCoverage(covered, of: given, atLeast: true, "\(estimator), \(count) decisions, \(given) intervals")
    }
  }

  @Test("intervals for every sample size cover at least as often")
  func conservative() throws {
    // Weights are at most 3 and rewards at most 1.
    let methods = [
      "empirical-bernstein:low=0,high=3", "hoeffding:low=0,high=3", "cressie-read",
      "bernstein-sequence", "off-policy-sequence", "confidence-sequence",
    ]
    for (method, covered) in zip(methods, try coverage("ips", methods, count: 150)) {
      expectCoverage(covered, atLeast: true, method)
    }
  }

  @Test("Clopper-Pearson covers, whether rewards are rare or frequent")
  func clopperPearson() throws {
    let rare = SimulatedLog(
      logged: [0.5, 0.3, 0.2], target: [0.2, 0.2, 0.6], means: [0.01, 0.02, 0.04])
    let covered = try coverage("ips", ["clopper-pearson"], of: rare, count: 300)
    expectCoverage(covered[0], atLeast: true, "rare rewards")
    for means in [[0.5, 0.7, 0.5], [0.9, 0.95, 0.9]] {
      let frequent = SimulatedLog(
        logged: [0.5, 0.3, 0.2], target: [0.2, 0.2, 0.6], means: means)
      let covered = try coverage("ips", ["clopper-pearson"], of: frequent, count: 150)
      expectCoverage(covered[0], atLeast: true, "frequent rewards")
    }
  }

  @Test("DR covers if either the propensities or the model are right, and not if both are wrong")
  func doublyRobust() throws {
    var log = SimulatedLog.standard
    log.model = [0.9, 0.1, 0.1]
    let wrongModel = try coverage("dr", ["normal"], of: log)
    expectCoverage(wrongModel[0], "wrong model")
    let bothWrong = try coverage("dr", ["normal"], of: log, wrongWeights: 2.5)
    #expect(bothWrong[0] < Self.logs / 2)
    log.model = log.means
    let wrongWeights = try coverage("dr", ["normal"], of: log, wrongWeights: 1.5)
    expectCoverage(wrongWeights[0], "wrong propensities")
  }

  @Test("with several decisions per unit that resemble each other, intervals by unit cover")
  func byUnit() throws {
    let log = SimulatedLog.standard
    for name in ["ips", "snips"] {
      var (byUnit, byDecision) = (0, 0)
      for seed in 0..<Self.logs {
        var random = Xoshiro256(seed: UInt64(seed))
        var (units, decisions) = (
          try IntervalMethodTests.estimate(name, ["normal"]),
          try IntervalMethodTests.estimate(name, ["normal"])
        )
        for key in 0..<120 as Range<UInt64> {
          let shift = Draw.bernoulli(0.5, using: &random) ? 0.2 : -0.2
          let unit = (0..<6).compactMap { _ in log.decision(shift: shift, using: &random) }
          units.add(unit: unit.span, key: key)
          for decision in unit { decisions.add(decision, key: key) }
        }
        if units.intervals()[0]?.contains(log.truth) == true { byUnit += 1 }
        if decisions.intervals()[0]?.contains(log.truth) == true { byDecision += 1 }
      }
      expectCoverage(byUnit, "\(name) by unit")
      #expect(byDecision < byUnit, "\(name)")
    }
  }

  @Test(
    "confidence sequences cover at every time",
    arguments: [
      "bernstein-sequence:tightest-at=100", "off-policy-sequence",
      "confidence-sequence:tightest-at=300",
    ])
  func sequences(method: String) throws {
    let log = SimulatedLog.standard
    var covered = 0
    for seed in 0..<Self.logs {
      var random = Xoshiro256(seed: UInt64(seed))
      var estimate = try IntervalMethodTests.estimate("ips", [method])
      var isCovered = true
      for step in 1...600 {
        guard let decision = log.decision(using: &random) else { continue }
        estimate.add(decision, key: UInt64(step))
        // Looks often at first; the asymptotic one needs a start.
        let isLook = step < 100 ? step % 10 == 0 : step % 20 == 0
        guard isLook, step >= 50 || !method.hasPrefix("confidence") else { continue }
        if let interval = estimate.intervals()[0], !interval.contains(log.truth) {
          isCovered = false
        }
      }
      if isCovered { covered += 1 }
    }
    expectCoverage(covered, atLeast: true, method)
  }

  @Test("the paired difference covers")
  func paired() throws {
    let log = SimulatedLog.standard
    // The other policy is the logging policy itself, with weights of 1.
    let difference = log.truth - zip(log.logged, log.means).reduce(0) { $0 + $1.0 * $1.1 }
    var covered = 0
    for seed in 0..<Self.logs {
      var random = Xoshiro256(seed: UInt64(seed))
      var paired = PairedDifference(SelfNormalized())
      for _ in 0..<400 {
        guard let decision = log.decision(using: &random),
          let other = LoggedDecision(reward: decision.reward, weight: 1)
        else { continue }
        paired.add(decision, versus: other)
      }
      if paired.difference()?.interval?.contains(difference) == true { covered += 1 }
    }
    expectCoverage(covered, "paired difference")
  }
}
