import Statistics
import Tables
import Testing

@testable import Reports

@Suite("The report power")
struct PowerReportTests {
  private static func row(
    _ baseline: PowerReport.Baseline, _ change: (inout PowerPlan) -> Void = { _ in }
  ) throws -> NamedRow {
    var plan = PowerPlan()
    change(&plan)
    return try #require(try PowerReport { $0.plan = plan }.table(of: baseline).named.first)
  }

  @Test("sample sizes match published tables, by every method")
  func reference() throws {
    let mean = PowerReport.Baseline(mean: 1, standardDeviation: 1)
    let rate = PowerReport.Baseline(rate: 0.1)
    let expected: [(PowerReport.Baseline, PowerMethod?, Double)] = [
      (mean, nil, 393.405693), (mean, .z, 392.443987), (mean, .exactZ, 392.443023),
      (rate, nil, 3_838.10219), (rate, .pooled, 3_840.84748), (rate, .arcsine, 3_834.59574),
    ]
    for (baseline, method, units) in expected {
      let row = try Self.row(baseline) {
        $0.method = method
        $0.lift = 0.2
      }
      row.expect(["units_needed_exact": units, "units_needed": units.rounded(.up)], within: 1e-8)
      #expect(row.text("method") == (method ?? (baseline.isBinary ? .unpooled : .t)).rawValue)
    }
  }

  @Test("the smallest effect is that of the units there are")
  func smallestEffect() throws {
    let row = try Self.row(.init(mean: 2, standardDeviation: 1, units: 5_000)) { $0.method = .z }
    row.expect(["smallest_effect": 0.0560317044, "smallest_lift": 0.0280158522], within: 1e-8)
    // The t test finds with 80 % what it is said to find.
    let t = try Self.row(.init(mean: 1, standardDeviation: 1, units: 40))
    let effect = try #require(t.number("smallest_effect"))
    #expect(abs(Power.t(count: 40, effect: effect) - 0.8) < 1e-9)
  }

  @Test("the status gives the reason for a missing answer")
  func reasons() throws {
    #expect(
      try Self.row(.init(rate: 0.6)) { $0.lift = 0.7 }.text("status")
        == "the lift leads out of 0 ... 1")
    #expect(
      try Self.row(.init(mean: 1, standardDeviation: 1)) { $0.method = .pooled }.text("status")
        == "the method is for metrics of 0 or 1")
    #expect(throws: ReportError(.badParameter, "mean must not be 0")) {
      try Self.row(.init(mean: 0, standardDeviation: 1))
    }
    #expect(throws: ReportError(.badParameter, "sd must be above 0")) {
      try Self.row(.init(mean: 1, standardDeviation: 0))
    }
    let tiny = try Self.row(.init(mean: 1e-9, standardDeviation: 1e9))
    #expect(tiny["units_needed"] == .empty)
    #expect(tiny.number("units_needed_exact") ?? 0 > 1e18)
  }

  @Test("a log gives means, variances and the pace of new units")
  func fromLog() throws {
    let control = ComparedUnits.units("control", ["g": [1, 2, 3, 4]])
    let other = (0..<4).map { number in
      ComparedUnits.decision(ComparedUnits.day * Int64(1 + number), "x\(number)", "x")
    }
    let log = try ComparisonLog(control + other)
    let (tallies, metrics) = try log.tallies(["reward", "converted", "ratio:of=reward,over=goals"])
    var plan = PowerPlan()
    plan.lift = 0.5
    let table = try PowerReport { $0.plan = plan }.table(
      tallies, metrics: metrics, names: log.names)
    #expect(table.rows.count == 3)
    let row = try #require(table.named.first { $0.text("metric") == "reward" })
    row.expect([
      "variants": 2, "units": 8, "baseline_units": 4, "baseline_mean": 2.5,
      "baseline_variance": 5.0 / 3, "days": 4, "units_per_day": 2,
    ])
    let exact = try #require(Power.tCount(effect: 1.25 / (5.0 / 3).squareRoot()))
    row.expect(["units_needed_exact": exact, "days_needed": exact.rounded(.up)])
    let converted = try #require(table.named.first { $0.text("metric") == "converted" })
    #expect(converted.text("status") == "no variance")
    let ratio = try #require(table.named.first { $0.text("method") == "t, delta method" })
    #expect(ratio.number("baseline_variance") == row.number("baseline_variance"))

    plan.baseline = "x"
    let turned = try PowerReport { $0.plan = plan }.table(
      tallies, metrics: metrics, names: log.names)
    #expect(turned.named.first?.text("baseline") == "x")
    plan.baseline = "nobody"
    let none = try PowerReport { $0.plan = plan }.table(
      tallies, metrics: metrics, names: log.names)
    #expect(none.named.allSatisfy { $0.text("status") == "the baseline has no units" })
  }

  @Test("an empty log has no rows")
  func empty() throws {
    let log = try ComparisonLog([])
    let (tallies, metrics) = try log.tallies(["reward"])
    let table = try PowerReport().table(tallies, metrics: metrics, names: log.names)
    #expect(table.rows.isEmpty)
  }
}
