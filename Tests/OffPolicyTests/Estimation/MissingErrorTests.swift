import Specifications
import Testing

@testable import OffPolicy
@testable import Statistics

@Suite("Standard errors that would mislead are left empty")
struct MissingErrorTests {
  private func sums(
    _ estimator: String, _ decisions: [(reward: Double, weight: Double)], modelled: Double = 0.4
  ) throws -> OffPolicyEstimate {
    var estimate = OffPolicyEstimate(
      try EstimatorCatalog.standard.named(estimator),
      intervals: try IntervalCatalog.standard.all.map {
        try IntervalCatalog.standard.named($0.name)
      })
    for (key, (reward, weight)) in decisions.enumerated() {
      estimate.add(
        try #require(
          LoggedDecision(
            reward: reward, weight: weight, modelled: modelled, expected: modelled)),
        key: UInt64(key))
    }
    return estimate
  }

  private static let ordinary: [(reward: Double, weight: Double)] = (0..<200).map {
    (reward: $0 % 3 == 0 ? 1 : 0, weight: $0 % 2 == 0 ? 2 : 0)
  }

  @Test("the direct method has no error of its own, by any method of intervals")
  func directMethod() throws {
    let estimate = try sums("dm", Self.ordinary)
    #expect(estimate.sums.value == 0.4)
    #expect(estimate.sums.missingError == .model(correctedShare: 0))
    #expect(estimate.sums.standardError == nil && estimate.sums.interval() == nil)
    #expect(estimate.intervals().allSatisfy { $0 == nil })
    #expect(try sums("dr", Self.ordinary).sums.standardError != nil)
  }

  @Test(
    "neither have estimators whose parameter leaves the model alone",
    arguments: [
      "switch-dr:tau=1", "dros:lambda=0.1", "sub-gaussian-dr:lambda=1", "switch-dr:tau=0",
      "slope:estimator=dros,values=0;0.1", "cross-validated:estimator=switch-dr,values=0;1",
    ])
  func shrunk(name: String) throws {
    let estimate = try sums(name, Self.ordinary)
    guard case .model = estimate.sums.missingError else {
      Issue.record("\(String(describing: estimate.sums.missingError))")
      return
    }
    #expect(estimate.intervals().allSatisfy { $0 == nil })
  }

  @Test(
    "neither have estimators that cut weights and lose what shows",
    arguments: [
      "clipped-ips:lambda=1", "clipped-ips:lambda=1.9", "sub-gaussian-ips:lambda=0.5",
      "slope:values=1;1.5", "cross-validated:values=1;1.5",
    ])
  func cut(name: String) throws {
    let estimate = try sums(name, (0..<40).flatMap { _ in Self.ordinary })
    guard case .cutWeights(let left) = estimate.sums.missingError else {
      Issue.record("\(String(describing: estimate.sums.missingError))")
      return
    }
    #expect(left < 1 && estimate.sums.value != nil && estimate.sums.standardError == nil)
    #expect(estimate.intervals().allSatisfy { $0 == nil })
    for name in ["clipped-ips:lambda=2", "clipped-ips:lambda=1.999", "sub-gaussian-ips:lambda=0.001", "ips", "snips"] {
      #expect(try sums(name, Self.ordinary).sums.standardError != nil, "\(name)")
    }
  }

  @Test("replay has no value of a policy that draws, and no error where propensities differ")
  func replay() throws {
    func sums(_ decisions: [(target: Double, propensity: Double)]) throws -> OffPolicyEstimate {
      var estimate = OffPolicyEstimate(DeterministicReplay(), intervals: [NormalInterval(), BootstrapInterval()])
      for (key, (target, propensity)) in decisions.enumerated() {
        let reward = key % 3 == 0 ? 1.0 : 0
        let decision = LoggedDecision(reward: reward, propensity: propensity, target: target)
        estimate.add(try #require(decision), key: UInt64(key))
      }
      return estimate
    }
    let drawn = try sums((0..<60).map { _ in (0.8, 0.3) })
    #expect(drawn.sums.value == nil && drawn.sums.missingError == .drawnChoices)
    let unequal = try sums((0..<60).map { (1, $0 % 2 == 0 ? 0.3 : 0.5) })
    #expect(unequal.sums.value != nil && unequal.sums.missingError == .unequalPropensities)
    for estimate in [drawn, unequal] { #expect(estimate.intervals().allSatisfy { $0 == nil }) }
    let uniform = try sums((0..<60).map { ($0 % 2 == 0 ? 1 : 0, 0.5) })
    #expect(uniform.sums.standardError != nil && uniform.intervals().allSatisfy { $0 != nil })
    var difference = PairedDifference(DeterministicReplay())
    for key in 0..<60 {
      let decision = try #require(LoggedDecision(reward: Double(key % 2), propensity: 0.5, target: 1))
      let drawn = try #require(LoggedDecision(reward: Double(key % 2), propensity: 0.5, target: 0.5))
      difference.add(decision, versus: drawn)
    }
    #expect(difference.value == nil && difference.missingError == .drawnChoices)
  }

  @Test("and none of a policy whose choices the log never made")
  func noSupport() throws {
    let decisions = Self.ordinary.map { (reward: $0.reward, weight: $0.weight / 10) }
    for name in ["dr", "sndr", "mrdr"] {
      guard case .model(let share) = try sums(name, decisions).sums.missingError else {
        Issue.record("\(name) has an error")
        continue
      }
      #expect(abs(share - 0.1) < 1e-12)
    }
  }

  @Test(
    "no interval of zero width: no reward with weight, equal units, a single unit",
    arguments: EstimatorCatalog.standard.all.map(\.name))
  func degenerate(name: String) throws {
    let cases: [[(reward: Double, weight: Double)]] = [
      Self.ordinary.map { (reward: 0, weight: $0.weight) },
      Self.ordinary.map { (reward: $0.reward, weight: $0.reward == 0 ? 2 : 0) },
      Self.ordinary.map { _ in (reward: 1, weight: 1) },
      Self.ordinary.map { (reward: $0.reward, weight: 0) },
      Self.ordinary.indices.map { (reward: 1, weight: $0 == 7 ? 200 : 0) },
      [(reward: 1, weight: 1)], [],
    ]
    for (number, decisions) in cases.enumerated() {
      let estimate = try sums(name, decisions)
      #expect(estimate.sums.standardError.map { $0 > 0 } ?? true, "\(number)")
      #expect((estimate.sums.standardError == nil) == (estimate.sums.missingError != nil))
      for interval in estimate.intervals() {
        #expect(interval.map { $0.width > 0 } ?? true, "\(number): \(String(describing: interval))")
      }
    }
    #expect(try sums(name, cases[0]).sums.missingError != nil)
  }

  @Test("rewards that are all alike have a value but no error")
  func constant() throws {
    let estimate = try sums("snips", Self.ordinary.map { (reward: 0.1, weight: $0.weight) })
    #expect(estimate.sums.value == 0.1 && estimate.sums.missingError == .noVariance)
    let nothing = try sums("ips", Self.ordinary.map { (reward: 0, weight: $0.weight) })
    #expect(nothing.sums.value == 0 && nothing.sums.missingError == .noReward)
  }

  @Test("a confidence sequence begins with 20 units with weight, 5 with and 5 without a reward")
  func sequences() throws {
    func interval(_ earning: Int, _ idle: Int, reward: Double = 1) throws -> Interval? {
      var estimate = OffPolicyEstimate(InversePropensity(), intervals: [ConfidenceSequence()])
      for key in 0..<(earning + idle + 500) {
        let (r, w) = key < earning ? (reward, 2.0) : key < earning + idle ? (0, 2) : (1, 0)
        estimate.add(
          try #require(LoggedDecision(reward: r + (r > 1 ? Double(key) : 0), weight: w)),
          key: UInt64(key))
      }
      return estimate.intervals()[0]
    }
    #expect(try interval(10, 10) != nil)
    #expect(try interval(9, 10) == nil && interval(4, 100) == nil && interval(100, 4) == nil)
    #expect(try interval(30, 0, reward: 2) != nil)
  }

  @Test("equal policies, and those of a model alone, have no interval of their difference")
  func differences() throws {
    for (name, missing) in [
      ("ips", MissingError.noVariance), ("dm", .model(correctedShare: 0)), ("dr", .noVariance),
    ] {
      let estimator = try #require(
        try EstimatorCatalog.standard.named(name) as? any TermEstimator)
      var difference = PairedDifference(estimator)
      for (reward, weight) in Self.ordinary {
        let decision = try #require(
          LoggedDecision(reward: reward, weight: weight, modelled: 0.4, expected: 0.4))
        difference.add(decision, versus: decision)
      }
      #expect(difference.value == 0 && difference.missingError == missing)
      #expect(difference.difference() == nil)
    }
  }
}
