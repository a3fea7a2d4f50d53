import Testing

@testable import OffPolicy
@testable import Statistics

@Suite("Off-policy confidence sequence")
struct OffPolicySequenceTests {
  /// The interval as in the paper: over all decisions in order, without sums of powers.
  private static func twin(
    _ decisions: [LoggedDecision], rmin: Double, rmax: Double, level: Double
  ) -> Interval {
    func end(_ x: (LoggedDecision) -> Double) -> Double {
      let values = decisions.map(x)
      var time = 0.0
      for index in values.indices {
        let predicted = (values[..<index].reduce(0, +) + 0.5) / Double(index + 1)
        time += (values[index] - predicted) * (values[index] - predicted)
      }
      let (total, n) = (values.reduce(0, +), Double(values.count))
      let mixture = GammaExponentialMixture(rho: 1, scale: 1)
      let isRejected = { (mean: Double) in
        mixture.logSupermartingale(total - n * mean, time) > Double.log(2 / (1 - level))
      }
      guard isRejected(0) else { return 0 }
      // Means up to the end are rejected.
      var (low, high) = (0.0, min(1, total / n))
      for _ in 0..<100 {
        let middle = (low + high) / 2
        if isRejected(middle) { low = middle } else { high = middle }
      }
      return low
    }
    let low = end { $0.weight * ($0.reward - rmin) / (rmax - rmin) }
    let high = end { $0.weight * (rmax - $0.reward) / (rmax - rmin) }
    return Interval(rmin + low * (rmax - rmin), rmax - high * (rmax - rmin))
  }

  private static func interval(
    _ decisions: [LoggedDecision], _ method: String, level: Double
  ) throws -> Interval? {
    var estimate = try IntervalMethodTests.estimate("ips", [method])
    for (key, decision) in decisions.enumerated() { estimate.add(decision, key: UInt64(key)) }
    return estimate.intervals(level: level)[0]
  }

  @Test("is that of its naive twin, whatever the range of the rewards")
  func twin() throws {
    var narrow = 0
    for seed in 0..<20 as Range<UInt64> {
      var random = Xoshiro256(seed: seed)
      let log = SimulatedLog.standard
      let decisions = (0..<200).compactMap { _ in log.decision(using: &random) }
      for (rmin, rmax, level) in [(0.0, 1.0, 0.95), (-0.5, 2.0, 0.8)] {
        let found = try #require(
          try Self.interval(
            decisions, "off-policy-sequence:rmin=\(rmin),rmax=\(rmax)", level: level))
        let twin = Self.twin(decisions, rmin: rmin, rmax: rmax, level: level)
        #expect(abs(found.low - twin.low) < 1e-9 && abs(found.high - twin.high) < 1e-9)
        if found.width < 0.8 { narrow += 1 }
      }
    }
    #expect(narrow > 10)
  }

  @Test("takes decisions in the order of their times, at equal times of their keys")
  func order() throws {
    var random = Xoshiro256(seed: 5)
    var decisions: [(decision: LoggedDecision, key: UInt64)] = []
    for index in 0..<150 {
      guard var decision = SimulatedLog.standard.decision(using: &random) else { continue }
      decision.time = Int64(index / 3) - 20
      decisions.append((decision, UInt64(index)))
    }
    let empty = try IntervalMethodTests.estimate("ips", ["off-policy-sequence"])
    let inOrder = decisions.reduce(into: empty) { $0.add($1.0, key: $1.1) }
    let mixed = decisions.shuffled(using: &random).reduce(into: empty) { $0.add($1.0, key: $1.1) }
    #expect(mixed == inOrder && mixed.intervals() == inOrder.intervals())
    let reversed = decisions.enumerated().reduce(into: empty) { estimate, entry in
      var decision = entry.element.decision
      decision.time = -Int64(entry.offset)
      estimate.add(decision, key: 0)
    }
    #expect(reversed.intervals() != inOrder.intervals())
  }

  @Test("there is none for decisions that were added at once, which have no order")
  func several() throws {
    let decision = try #require(LoggedDecision(reward: 1, weight: 2))
    var estimate = try IntervalMethodTests.estimate("ips", ["off-policy-sequence"])
    estimate.add(decision, key: 1)
    #expect(estimate.intervals()[0] != nil)
    estimate.add(decision, times: 2, key: 2)
    #expect(estimate.intervals() == [nil])
  }
}
