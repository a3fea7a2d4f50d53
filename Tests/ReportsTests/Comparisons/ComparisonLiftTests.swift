import Statistics
import Tables
import TestSupport
import Testing

@testable import Replay
@testable import Reports

private let isLong = LongTests.areWanted

@Suite("The relative lift of a comparison")
struct ComparisonLiftTests {
  /// Spread around a mean, the same in both variants.
  private static let spread: [Double] = [-1, 0, 1, -1, 0, 1, -2, 0, 2, -0.5, 0.5, 0.3]

  private static func log(_ baseline: Double, _ variant: Double) throws -> ComparisonLog {
    try ComparisonLog(
      ComparedUnits.units("a", ["g": spread.map { $0 + baseline }])
        + ComparedUnits.units("b", ["g": spread.map { $0 + variant }]))
  }

  private static func plan(_ method: ComparisonMethod) -> ComparisonPlan {
    var plan = ComparisonPlan()
    plan.method = method
    plan.mixingVariance = 0.01
    plan.looks = .init(count: 5, look: 3, spending: .obrienFleming)
    plan.resampling = .init(replicates: 100, seed: 3)
    return plan
  }

  @Test(
    "a negative baseline has no lift, and the verdict is that of the difference",
    arguments: [ComparisonMethod.welch, .pooled, .z, .mannWhitney, .bootstrap, .bayes, .bayesLift],
    [(-10.0, -5.0), (-5, -10), (-5, 5), (-1, 4)])
  func negative(method: ComparisonMethod, means: (Double, Double)) throws {
    for lift in LiftMethod.allCases {
      let row = try Self.log(means.0, means.1).row("reward") {
        $0 = Self.plan(method)
        $0.lift = lift
      }
      #expect(row.text("verdict") == (means.1 > means.0 ? "better" : "worse"), "\(row)")
      #expect(row["lift"] == .empty && row["lift_ci_low"] == .empty)
      #expect(row["lift_ci_high"] == .empty && row["lift_method"] == .empty)
      #expect(row.text("status") == "the baseline's mean is negative: no lift")
      #expect(row.number("difference").map { ($0 > 0) == (means.1 > means.0) } == true)
    }
  }

  @Test("the sentence says the difference where there is no lift")
  func sentence() throws {
    let table = try Self.log(-10, -5).table(["reward"])
    #expect(table.answer[0].hasPrefix("b beats a on reward by a difference of 5 (95 % interval"))
    #expect(!table.answer[0].contains("%)"))
  }

  @Test("a baseline that may be zero has no lift", arguments: LiftMethod.allCases)
  func nearZero(lift: LiftMethod) throws {
    guard !lift.isOfProportions else { return }
    let row = try Self.log(0.01, 5).row("reward") { $0.lift = lift }
    #expect(row.text("verdict") == "better" && row["lift"] == .empty)
    #expect(row.text("status")?.hasPrefix("the baseline's mean is too close to zero") == true)
    #expect(row.number("difference") != nil && row.number("ci_low") != nil)
  }

  @Test("ranks that contradict the means are told from them")
  func ranks() throws {
    let low = Array(repeating: 1.0, count: 12), high = Array(repeating: 2.0, count: 11) + [-90]
    let log = try ComparisonLog(
      ComparedUnits.units("a", ["g": low]) + ComparedUnits.units("b", ["g": high]))
    let table = try log.table(["reward"], Self.plan(.mannWhitney)) { $0.keepsValues = true }
    #expect(table.named[0].text("verdict") == "better")
    #expect(
      table.answer[0].contains("b ranks above a on reward (p = 0.0001), and its mean does not"))
  }

  // MARK: Both tails

  @Test(
    "without an effect, bayes-lift calls as many variants higher as lower", arguments: [0, 1, 2])
  func tails(kind: Int) throws {
    let logs = isLong ? 5_000 : 500
    var (higher, lower) = (0, 0)
    let plan = Self.plan(.bayesLift)
    for seed in 0..<UInt64(logs) {
      var random = SeededGenerator(seed: seed &* 15_485_863 &+ UInt64(kind))
      func group() throws -> MetricSample {
        let values = (0..<200).map { _ -> Double in
          switch kind {
          case 0: random.chance(0.06) ? 1 : 0
          case 1: 3 + Draw.normal(mean: 0, standardDeviation: 6, using: &random)
          default: random.chance(0.2) ? 5 * Double(1 + random.index(9)) : 0
          }
        }
        return try Groups.continuous(values, kind == 0 ? "converted" : "reward", values: false)
      }
      switch PairTest(plan: plan).compare(try group(), try group()).verdict(plan, adjusted: nil)
        .verdict
      {
      case .better: higher += 1
      case .worse: lower += 1
      default: break
      }
    }
    if isLong { print("tails of bayes-lift, kind \(kind): \(higher) higher, \(lower) lower") }
    let expected = 0.025 * Double(logs)
    let most = expected + 4 * expected.squareRoot()
    #expect(Double(max(higher, lower)) <= most, "\(higher) higher, \(lower) lower")
    #expect(Double(min(higher, lower)) >= expected / 4, "\(higher) higher, \(lower) lower")
  }

  // MARK: The boundary and the side

  @Test(
    "the interval of a requested lift follows the side that is tested",
    arguments: LiftMethod.allCases, [Alternative.greater, .less])
  func sides(lift: LiftMethod, alternative: Alternative) throws {
    let log = try ComparisonLog(
      ComparedUnits.share("a", 100, of: 1_000) + ComparedUnits.share("b", 130, of: 1_000))
    func row(_ alternative: Alternative, _ alpha: Double) throws -> NamedRow {
      try log.row("converted") {
        $0.lift = lift
        $0.alternative = alternative
        $0.alpha = alpha
      }
    }
    let (one, two) = (try row(alternative, 0.05), try row(.twoSided, 0.1))
    let (bound, open) =
      alternative == .greater ? ("lift_ci_low", "lift_ci_high") : ("lift_ci_high", "lift_ci_low")
    #expect(one[open] == .empty)
    #expect(abs((one.number(bound) ?? .infinity) - (two.number(bound) ?? 0)) <= 1e-9)
  }

  @Test(
    "the interval of a requested lift follows the boundary of a sequential method",
    arguments: LiftMethod.allCases,
    [ComparisonMethod.scaledMsprt, .msprt, .asymptoticCS, .groupSequential])
  func boundary(lift: LiftMethod, method: ComparisonMethod) throws {
    let log = try ComparisonLog(
      ComparedUnits.share("a", 100, of: 1_000) + ComparedUnits.share("b", 130, of: 1_000))
    let row = try log.row("converted") {
      $0 = Self.plan(method)
      $0.lift = lift
    }
    let welch = try log.row("converted") { $0.lift = lift }
    #expect(row.text("verdict") == "no difference found")
    #expect(row.number("ci_low").map { $0 < 0 } == true)
    #expect(row.number("lift_ci_low").map { $0 < 0 } == true, "\(row)")
    let high = welch.number("lift_ci_high") ?? .infinity
    #expect(row.number("lift_ci_high").map { $0 > high } == true, "\(row)")
  }

  @Test("options that a method does not use are refused")
  func refused() throws {
    for method in ComparisonMethod.allCases where !method.hasPValue {
      var plan = Self.plan(method)
      if method != .groupSequential { plan.looks = nil }
      if method != .bootstrap { plan.resampling = nil }
      plan.mixingVariance = nil
      #expect(throws: Never.self) { try ComparisonReport { $0.plan = plan } }
      plan.correction = .holm
      #expect(throws: ReportError.self, "\(method)") { try ComparisonReport { $0.plan = plan } }
    }
    for method in [ComparisonMethod.bootstrap, .bayesLift] {
      var plan = ComparisonPlan()
      (plan.method, plan.lift) = (method, .deltaZ)
      #expect(throws: ReportError.self) { try ComparisonReport { $0.plan = plan } }
    }
    var plan = ComparisonPlan()
    (plan.lift, plan.covariate) = (.ratioLog, .init(period: 1))
    #expect(throws: ReportError.self) { try ComparisonReport { $0.plan = plan } }
    plan = ComparisonPlan()
    (plan.alternative, plan.alpha) = (.greater, 0.6)
    #expect(throws: ReportError.self) { try ComparisonReport { $0.plan = plan } }
  }

  // MARK: Tiny values

  @Test(
    "values so small that their variance underflows are not tested",
    arguments: [1e-150, 1e-155, 1e-170, 1e-300])
  func underflow(scale: Double) throws {
    let values: [Double] = (1...40).map { Double($0 % 7 + 1) }
    for method in ComparisonMethod.allCases where !method.isOfProportions && method != .mannWhitney {
      let log = try ComparisonLog(
        ComparedUnits.units("a", ["g": values.map { $0 * scale }])
          + ComparedUnits.units("b", ["g": values.map { ($0 + 1) * scale }]))
      let row = try log.row("reward") { $0 = Self.plan(method) }
      #expect(row.text("status")?.hasPrefix("values too small") == true, "\(method): \(row)")
      #expect(row["p_value"] == .empty && row["ci_low"] == .empty && row["lift"] == .empty)
      #expect(row.text("verdict") == "not compared")
    }
  }

  @Test(
    "other scales give the same lift and p-value",
    arguments: [1e-130, 1e-90, 1e-30, 1e30, 1e90, 1e120])
  func scales(scale: Double) throws {
    let values: [Double] = (1...40).map { Double($0 % 7 + 1) }
    func row(_ scale: Double, _ lift: LiftMethod) throws -> NamedRow {
      try ComparisonLog(
        ComparedUnits.units("a", ["g": values.map { $0 * scale }])
          + ComparedUnits.units("b", ["g": values.map { ($0 + 1) * scale }])
      ).row("reward") { $0.lift = lift }
    }
    for lift in LiftMethod.allCases where !lift.isOfProportions {
      let (one, other) = (try row(1, lift), try row(scale, lift))
      for name in ["p_value", "lift", "lift_ci_low", "lift_ci_high"] {
        let value = one.number(name) ?? .nan
        #expect(
          abs((other.number(name) ?? .infinity) - value) <= 1e-9 * abs(value), "\(lift) \(name)")
      }
    }
  }
}
