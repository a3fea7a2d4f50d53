import Specifications
import Testing

@testable import OffPolicy
@testable import Statistics

@Suite("Paired differences of target policies")
struct PairedDifferenceTests {
  /// The same decisions as seen by another target policy: with other weights and expected rewards.
  private func seenByOther(
    _ decisions: [LoggedDecision], using random: inout Xoshiro256
  ) -> [LoggedDecision] {
    decisions.compactMap {
      LoggedDecision(
        reward: $0.reward, weight: 0.1 + 2 * Draw.unit(using: &random), modelled: $0.modelled,
        expected: Draw.normal(using: &random))
    }
  }

  private func check(_ estimator: some TermEstimator) throws {
    for seed in 0..<30 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let units = randomUnits(randomDecisions(40, using: &random), largest: 4, using: &random)
      let others = units.map { seenByOther($0, using: &random) }
      let empty = PairedDifference(estimator)
      var (whole, same) = (empty, empty)
      var parts = [PairedDifference](repeating: empty, count: 3)
      for index in units.indices.shuffled(using: &random) {
        let (unit, other) = (units[index], others[index])
        whole.add(unit: unit.span, versus: other.span)
        same.add(unit: unit.span, versus: unit.span)
        let part = Draw.index(below: 3, using: &random)
        if unit.count == 1 {
          parts[part].add(unit[0], versus: other[0])
        } else {
          parts[part].add(unit: unit.span, versus: other.span)
        }
      }
      #expect(parts.shuffled(using: &random).reduce(into: empty) { $0.merge($1) } == whole)
      let psi = zip(influences(estimator, units), influences(estimator, others)).map { $0 - $1 }
      let n = Double(units.count)
      let error = (psi.reduce(0) { $0 + $1 * $1 } / (n * (n - 1))).squareRoot()
      expectClose(whole.standardError, error, 1e-8)
      let values = [units, others].compactMap { side in
        side.reduce(into: OffPolicySums(estimator)) { $0.add(unit: $1.span) }.value
      }
      expectClose(whole.value, values[0] - values[1], 1e-9)
      let test = try #require(whole.difference())
      let t = -StudentT(degreesOfFreedom: n - 1).quantile(0.025)
      expectClose(test.interval?.width, 2 * t * error, 1e-8)
      #expect(
        same.value == 0 && same.standardError == nil && same.missingError == .noVariance,
        "seed \(seed)")
      #expect(whole.count == 40 && whole.units == units.count)
    }
  }

  /// ψ of each unit.
  private func influences<E: TermEstimator>(
    _ estimator: E, _ units: [[LoggedDecision]]
  ) -> [Double] {
    let terms = units.map { $0.map { estimator.terms(of: $0) } }
    let m = terms.map { $0.reduce(0) { $0 + $1.mean } }
    let a = terms.map { $0.reduce(0) { $0 + $1.numerator } }
    let b = terms.map { $0.reduce(0) { $0 + $1.denominator } }
    let n = units.map { Double($0.count) }
    let count = Double(units.count)
    let (size, below) = (n.reduce(0, +) / count, b.reduce(0, +) / count)
    let mean = m.reduce(0, +) / n.reduce(0, +)
    let ratio = E.form.hasRatio ? a.reduce(0, +) / b.reduce(0, +) : 0
    return units.indices.map {
      (m[$0] - mean * n[$0]) / size
        + (E.form.hasRatio ? (a[$0] - ratio * b[$0]) / below : 0)
    }
  }

  @Test("value, standard error and merging are those of the differences of the influences")
  func twin() throws {
    try check(InversePropensity())
    try check(SelfNormalized())
    try check(DoublyRobust())
    try check(SelfNormalizedDoublyRobust())
  }

  @Test("policies that mostly agree have a far smaller standard error of the difference")
  func narrower() throws {
    let log = SimulatedLog.standard
    var random = Xoshiro256(seed: 4)
    var (difference, single) = (
      PairedDifference(InversePropensity()), OffPolicySums(InversePropensity())
    )
    for _ in 0..<2000 {
      let decision = try #require(log.decision(using: &random))
      let other = try #require(
        LoggedDecision(reward: decision.reward, weight: decision.weight * 1.01))
      difference.add(decision, versus: other)
      single.add(decision)
    }
    let error = try #require(difference.standardError)
    #expect(error < 0.02 * (single.standardError ?? 0))
    #expect(PairedDifference(InversePropensity()).difference() == nil)
  }

  @Test("a difference to a value whose own error is not known has none either")
  func oneSided() throws {
    // By another policy, whose decisions have weights as usual: no reward with weight, one unit, equal units.
    let cases: [(MissingError, (Int) -> (reward: Double, weight: Double))] = [
      (.noReward, { _ in (reward: 1, weight: 0) }),
      (.singleUnit, { (reward: 1, weight: $0 == 7 ? 50 : 0) }),
    ]
    for (reason, decision) in cases {
      var difference = PairedDifference(SelfNormalized())
      for index in 0..<200 {
        let (reward, weight) = decision(index)
        let own = try #require(
          LoggedDecision(reward: index % 2 == 0 ? 0 : reward, weight: weight))
        let other = try #require(LoggedDecision(reward: index % 2 == 0 ? 0 : reward, weight: 1))
        difference.add(own, versus: other)
      }
      #expect(difference.standardError == nil && difference.difference() == nil)
      #expect(difference.missingError == reason || difference.missingError == .noValue)
    }
  }

  @Test("the bootstrap of the difference has about its standard error")
  func bootstrap() throws {
    var random = Xoshiro256(seed: 6)
    let decisions = randomDecisions(400, using: &random).compactMap {
      LoggedDecision(reward: $0.reward, weight: min($0.weight, 3))
    }
    let others = seenByOther(decisions, using: &random)
    let method = try BootstrapInterval { $0.seed = 3 }
    var (a, b) = (
      try #require(method.makeState(for: SelfNormalized())),
      try #require(method.makeState(for: SelfNormalized()))
    )
    var paired = PairedDifference(SelfNormalized())
    for (key, (decision, other)) in zip(decisions, others).enumerated() {
      a.add(unit: [decision].span, times: 1, key: UInt64(key))
      b.add(unit: [other].span, times: 1, key: UInt64(key))
      paired.add(decision, versus: other)
    }
    let distribution = try #require(a.difference(from: b))
    expectClose(distribution.estimate, paired.value ?? .nan, 1e-9)
    expectClose(distribution.standardError, paired.standardError ?? .nan, 0.1)
  }
}
