import Statistics
import TestSupport
import Testing

@testable import Replay
@testable import Reports

/// A variant that nobody converts in must not be too early for ever.
@Suite("Few events under each plan")
struct FewEventsTests {
  /// A rule of decision.
  enum Rule: String, CaseIterable {
    case everyLook, fixed, obrienFleming, pocock

    /// Returns the comparison of a look; nil if nothing is decided at it.
    func plan(_ look: Int, of looks: Int) -> ComparisonPlan? {
      var plan = ComparisonPlan()
      switch self {
      case .everyLook: plan.method = StoppingRule.everyLook.method
      case .fixed: if look < looks { return nil }
      case .obrienFleming, .pocock:
        guard look.isMultiple(of: looks / 5) else { return nil }
        plan.method = .groupSequential
        plan.looks = .init(
          count: 5, look: look * 5 / looks, spending: self == .pocock ? .pocock : .obrienFleming)
      }
      return plan
    }
  }

  private func judged(
    _ plan: ComparisonPlan, _ x: Int, of n: Int, _ y: Int, of m: Int, _ metric: String = "converted"
  ) throws -> (ComparisonVerdict, Comparison) {
    func sample(_ successes: Int, _ units: Int) throws -> MetricSample {
      var tally = MetricTally()
      // Only the mean is read of a metric of 0 or 1.
      tally.moments.add(Double(successes) / Double(units))
      tally.converters = successes
      return MetricSample(metric: try Metric(parsing: metric), units: units, tally: tally)
    }
    let result = PairTest(plan: plan).compare(try sample(x, n), try sample(y, m))
    return (result.verdict(plan, adjusted: result.difference?.pValue).verdict, result)
  }

  @Test(
    "a variant without conversions is worse under each plan, and better where fewer are better",
    arguments: Rule.allCases)
  func none(rule: Rule) throws {
    for look in [4, 10] {
      guard let plan = rule.plan(look, of: 10) else { continue }
      let enough = look == 4 ? 40 : 12
      let (verdict, result) = try judged(plan, 0, of: 1_000, enough, of: 1_000)
      #expect(verdict == .worse, "\(result)")
      #expect(result.lift?.estimate == -1 && result.lift?.interval?.low == -1)
      #expect(result.lift?.interval.map { $0.high < 0 } == true, "\(result)")
      #expect(result.difference?.interval.map { $0.high < 0 } == true, "\(result)")
      #expect(result.findings.map(\.name) == ["few_events"] && result.findings.first?.effect == .warns)
      let (lower, _) = try judged(plan, 0, of: 1_000, enough, of: 1_000, "converted:direction=lower")
      #expect(lower == .better)
      let (open, near) = try judged(plan, 0, of: 1_000, 3, of: 1_000)
      #expect(open == .noDifference && near.difference?.interval?.contains(0) == true)
    }
  }

  @Test("where none or all converts there is no baseline to be above, and a difference nonetheless")
  func ends() throws {
    for rule in Rule.allCases {
      guard let plan = rule.plan(10, of: 10) else { continue }
      let (verdict, result) = try judged(plan, 14, of: 900, 0, of: 1_000)
      #expect(verdict == .better && result.lift == nil && result.status != nil, "\(rule)")
      let (none, _) = try judged(plan, 0, of: 900, 0, of: 1_000)
      #expect(none == .notCompared)
      #expect(try judged(plan, 980, of: 1_000, 1_000, of: 1_000).0 == .worse)
    }
  }

  @Test("one conversion of a small variant is no evidence: a score test would say so")
  func single() throws {
    for rule in Rule.allCases {
      guard let plan = rule.plan(10, of: 10) else { continue }
      let (verdict, result) = try judged(plan, 1, of: 100, 0, of: 900)
      #expect(verdict == .noDifference, "\(rule), \(result)")
      #expect(result.difference?.interval?.contains(0) == true)
    }
  }

  @Test("an exact test brings the error under no difference, for tests of several effects")
  func error() throws {
    for rule in Rule.allCases {
      guard let plan = rule.plan(10, of: 10) else { continue }
      let (_, result) = try judged(plan, 2, of: 1_000, 10, of: 3_000)
      let rate = 12.0 / 4_000
      let expected = (rate * (1 - rate) * (1 / 1_000 + 1 / 3_000)).squareRoot()
      #expect(abs((result.difference?.standardError ?? 0) / expected - 1) < 0.002, "\(rule)")
    }
  }

  @Test("methods without an exact replacement wait for five expected events")
  func waiting() throws {
    var plan = ComparisonPlan()
    plan.method = .msprt
    plan.mixingVariance = 0.01
    var squared = ComparisonPlan()
    squared.method = .chiSquared
    for plan in [plan, squared] {
      #expect(try judged(plan, 0, of: 1_000, 8, of: 1_000).0 == .tooEarly)
      #expect(try judged(plan, 0, of: 1_000, 60, of: 1_000).0 == .worse)
    }
  }

  @Test("a margin is tested with few events by the variance of both, and waits with fewer")
  func margin() throws {
    var plan = ComparisonPlan()
    plan.margin = 0.05
    let (kept, result) = try judged(plan, 2, of: 1_000, 12, of: 1_000)
    #expect(kept == .marginKept && result.findings.map(\.name) == ["few_events"])
    let (early, few) = try judged(plan, 1, of: 1_000, 3, of: 1_000)
    #expect(early == .tooEarly)
    #expect(few.findings.first?.text.hasSuffix("too few for any test") == true)
  }

  /// Samples of revenue: exponential values of units that buy with a chance.
  private func revenue(
    _ units: Int, _ chance: Double, _ random: inout SeededGenerator
  ) throws -> MetricSample {
    var tally = MetricTally()
    for _ in 0..<units {
      let value = random.chance(chance) ? -Double.log(1 - Double.random(in: 0..<1, using: &random)) : 0
      tally.moments.add(value)
      tally.converters += value > 0 ? 1 : 0
    }
    return MetricSample(metric: Metric(.revenue), units: units, tally: tally)
  }

  @Test(
    "of equal revenues of few buyers about 5 % or fewer are decided, also with unequal shares",
    arguments: [0.5, 0.1], [10, 20])
  func revenue(share: Double, buyers: Int) throws {
    let runs = LongTests.areWanted ? 4_000 : 400
    var random = SeededGenerator(seed: 8_700 + UInt64(buyers) + UInt64(share * 10))
    let (own, rest) = (Int(1_000 * share), Int(1_000 * (1 - share)))
    let chance = Double(buyers) / Double(own)
    let wrong = try (0..<runs).count { _ in
      let (a, b) = (try revenue(own, chance, &random), try revenue(rest, chance, &random))
      let result = PairTest(plan: ComparisonPlan()).compare(a, b)
      return result.verdict(ComparisonPlan(), adjusted: result.difference?.pValue).verdict.isDecided
    }
    // Three standard deviations above 5 %.
    #expect(Double(wrong) < Double(runs) * 0.05 + 3 * (Double(runs) * 0.0475).squareRoot(), "\(wrong) of \(runs)")
  }

  @Test(
    "of equal rates of rare events about 5 % or fewer are decided under each plan",
    arguments: [0.001, 0.01], [0.5, 0.1])
  func errorRate(rate: Double, share: Double) throws {
    // Of shares of a tenth the larger rate has five events from the first look on, and another approximation.
    guard rate < 0.01 || share == 0.5 else { return }
    let (runs, looks) = (LongTests.areWanted ? 2_000 : 30, 20)
    let (own, rest) = (Int(1_000 * share), Int(1_000 * (1 - share)))
    var random = SeededGenerator(seed: 8_600 + UInt64(rate * 10_000) + UInt64(share * 10))
    var wrong: [Rule: Int] = [:]
    for _ in 0..<runs {
      var (x, y) = (0, 0)
      var decided: Set<Rule> = []
      for look in 1...looks {
        for _ in 0..<own where random.chance(rate) { x += 1 }
        for _ in 0..<rest where random.chance(rate) { y += 1 }
        for rule in Rule.allCases where !decided.contains(rule) {
          guard let plan = rule.plan(look, of: looks) else { continue }
          if try judged(plan, x, of: look * own, y, of: look * rest).0.isDecided { decided.insert(rule) }
        }
      }
      for rule in decided { wrong[rule, default: 0] += 1 }
    }
    for rule in Rule.allCases {
      let count = wrong[rule] ?? 0
      if LongTests.areWanted { print("| \(rate) | \(share) | \(rule.rawValue) | \(count) of \(runs) |") }
      let deviation = (0.05 * 0.95 * Double(runs)).squareRoot()
      #expect(Double(count) <= 0.05 * Double(runs) + 4 * deviation, "\(rule)")
    }
  }
}
