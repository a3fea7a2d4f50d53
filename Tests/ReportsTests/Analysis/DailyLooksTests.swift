import Statistics
import TestSupport
import Testing

@testable import Replay
@testable import Reports

/// Experiments that somebody looks at every day for two weeks, decided by each plan: how often two equal variants are told
/// apart, and how often a true effect is found. `make test-long` prints the table of the documentation.
@Suite("Error rates under daily looks")
struct DailyLooksTests {
  /// What is measured of a unit.
  enum Kind: String, CaseIterable {
    case rate, mean, ratio

    var metric: Metric {
      switch self {
      case .rate: Metric(.converted)
      case .mean: Metric(.reward)
      case .ratio: Metric(Metric.Term(.reward), over: Metric.Term(.goals))
      }
    }

    /// Adds a unit whose mean is higher by a part.
    func add(_ lift: Double, to sample: inout MetricSample, _ random: inout SeededGenerator) {
      sample.units += 1
      switch self {
      case .rate:
        let converts = random.chance(0.1 * (1 + lift))
        sample.tally.moments.add(converts ? 1 : 0)
        sample.tally.converters += converts ? 1 : 0
      case .mean:
        // Few have a value, and values are skewed.
        let value = random.chance(0.3) ? Double.exp(Draw.normal(mean: 0, standardDeviation: 0.7, using: &random)) : 0
        sample.tally.moments.add(value * (1 + lift))
        sample.tally.converters += value > 0 ? 1 : 0
      case .ratio:
        let goals = Double(1 + random.index(3))
        let value = goals * (1 + lift) + Draw.normal(mean: 0, standardDeviation: 2, using: &random)
        sample.tally.moments.add(value)
        sample.tally.ratio?.add(value, over: goals)
        sample.tally.converters += 1
      }
    }
  }

  /// A plan, with Welch's test at every look for comparison.
  enum Plan: String, CaseIterable {
    case welchDaily = "none: Welch's test each day"
    case fixed = "fixed: Welch's test on the last day"
    case obrienFleming = "5 looks, lan-obf"
    case pocock = "5 looks, lan-pocock"
    case anytime = "every look: confidence sequence"

    /// Returns the comparison of a day; nil if nothing is decided on it.
    func comparison(_ day: Int, of days: Int, variants: Int) -> ComparisonPlan? {
      var plan = ComparisonPlan()
      plan.alpha /= Double(variants - 1)
      switch self {
      case .welchDaily: plan.alpha = 0.05
      case .fixed: if day < days { return nil }
      case .anytime: plan.method = .asymptoticCS
      case .obrienFleming, .pocock:
        let looks = (1...5).map { ($0 * days + 4) / 5 }
        guard let look = looks.firstIndex(of: day) else { return nil }
        plan.method = .groupSequential
        plan.looks = .init(
          count: 5, look: look + 1, spending: self == .pocock ? .pocock : .obrienFleming,
          information: looks[...look].map { Double($0) / Double(days) })
      }
      return plan
    }
  }

  private static let (days, unitsPerDay) = (14, 60)

  /// Returns whether any variant was found better or worse on any day, by plan.
  private func decided(
    _ kind: Kind, lift: Double, variants: Int, _ random: inout SeededGenerator
  ) -> [Plan: Bool] {
    var samples = (0..<variants).map { _ in
      MetricSample(metric: kind.metric, units: 0, tally: MetricTally())
    }
    if kind == .ratio { for index in samples.indices { samples[index].tally.ratio = RatioMoments() } }
    var found: [Plan: Bool] = [:]
    for day in 1...Self.days {
      for index in samples.indices {
        for _ in 0..<Self.unitsPerDay {
          kind.add(index == variants - 1 ? lift : 0, to: &samples[index], &random)
        }
      }
      for plan in Plan.allCases where found[plan] == nil {
        guard let comparison = plan.comparison(day, of: Self.days, variants: variants) else { continue }
        let isDecided = samples.dropFirst().contains { sample in
          let result = PairTest(plan: comparison).compare(sample, samples[0])
          return result.verdict(comparison, adjusted: result.difference?.pValue).verdict.isDecided
        }
        if isDecided { found[plan] = true }
      }
    }
    return found
  }

  @Test(
    "of experiments without an effect at most about 5 % are decided under each plan, and effects are found",
    arguments: Kind.allCases, [2, 4])
  func rates(kind: Kind, variants: Int) {
    let count = LongTests.areWanted ? 2_000 : 100
    var random = SeededGenerator(seed: 7_000 + UInt64(variants) * 10 + UInt64(kind.rawValue.count))
    let lift = kind == .rate ? 0.45 : kind == .mean ? 0.3 : 0.1
    var (wrong, found): ([Plan: Int], [Plan: Int]) = ([:], [:])
    for _ in 0..<count {
      for (plan, _) in decided(kind, lift: 0, variants: variants, &random) { wrong[plan, default: 0] += 1 }
      for (plan, _) in decided(kind, lift: lift, variants: variants, &random) { found[plan, default: 0] += 1 }
    }
    for plan in Plan.allCases {
      let rates = [wrong, found].map { Double($0[plan] ?? 0) / Double(count) * 100 }
      if LongTests.areWanted {
        print("| \(kind.rawValue) | \(variants) | \(plan.rawValue) | \(rates[0]) % | \(rates[1]) % |")
      }
      let deviation = (0.05 * 0.95 / Double(count)).squareRoot() * 100
      guard plan != .welchDaily else { continue }
      #expect(rates[0] <= 5 + 4 * deviation, "\(plan)")
      #expect(rates[1] > 2 * rates[0], "\(plan)")
    }
  }
}
