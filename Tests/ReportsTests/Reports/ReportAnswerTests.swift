import Replay
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("What reports answer")
struct ReportAnswerTests {
  /// One experiment of three variants on three days; `v10` is rewarded most often, `v2` least.
  private static func log(experiments: [String] = ["checkout"]) throws -> SmallLog {
    var lines: [String] = []
    for experiment in experiments {
      for index in 0..<300 {
        let (variant, every) = [("v10", 2), ("v2", 5), ("v3", 3)][index % 3]
        let unit = "\(experiment)-\(index)"
        let time = "2026-01-0\(index / 100 + 1)T\(10 + index % 10):00:00Z"
        let third = #""propensity":0.4,"choices":["v10","v2","v3"],"probabilities":[0.4,0.3,0.3]"#
        let propensity = index % 3 == 0 ? third : third.replacing(":0.4,\"c", with: ":0.3,\"c")
        lines.append(
          #"{"type":"decision","time":"\#(time)","unit":"\#(unit)","experiment":"\#(experiment)","#
            + #""variant":"\#(variant)",\#(propensity)}"#)
        guard index / 3 % every == 0 else { continue }
        let later = time.replacing(":00:00Z", with: ":30:00Z")
        lines.append(
          #"{"type":"goal","time":"\#(later)","unit":"\#(unit)","experiment":"\#(experiment)","#
            + #""goal":"signup"}"#)
        lines.append(
          #"{"type":"conversion","time":"\#(later)","unit":"\#(unit)","goal":"order","revenue":2}"#)
      }
    }
    return try SmallLog(lines)
  }

  private static func reports() throws -> [any Report] {
    try [
      RewardReport(), ConversionReport(), QuantileReport(), RegretReport(),
      RegretReport { $0.decomposes = true }, AdaptiveReport(), SeriesReport(), VisitReport(),
      FunnelReport { $0.steps = ["signup", "order"] }, RetentionReport { $0.days = [1] },
      PowerReport(), NoveltyReport { $0.days = [0, 1] },
      ComparisonReport(), HealthReport(),
    ]
  }

  @Test("of each report is tested here, but for those that need a plan, predictors or policies")
  func complete() throws {
    let elsewhere = ["decisions", "predictions", "evaluate"]
    #expect(
      Set(try Self.reports().map { type(of: $0).name } + elsewhere)
        == Set(ReportCatalog.standard.all.map { $0.name }))
  }

  @Test("is one to three sentences, with a method and five to eight columns for people")
  func form() throws {
    for experiments in [["checkout"], ["e1", "e2", "e10"]] {
      let log = try Self.log(experiments: experiments)
      for report in try Self.reports() {
        let table = try report.table(of: log.reader)
        #expect((1...3).contains(table.answer.count), "\(table.name): \(table.answer)")
        #expect(table.answer.allSatisfy { $0.hasSuffix(".") }, "\(table.name): \(table.answer)")
        #expect(table.answer.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }, "\(table.name)")
        #expect(table.method != nil, "\(table.name)")
        let main = table.columns.filter { $0.isMain && $0.kind == .measure }
        #expect((3...8).contains(main.count), "\(table.name): \(main.count)")
      }
    }
  }

  @Test("of an empty log is that there is nothing")
  func nothing() throws {
    let log = try SmallLog([
      #"{"type":"dataPoint","time":"2026-01-01T00:00:00Z","unit":"u","kind":"custom","key":"a","value":"b"}"#
    ])
    for report in try Self.reports() where !(report is HealthReport) && !(report is VisitReport) {
      guard !(report is FunnelReport) else { continue }
      let table = try report.table(of: log.reader)
      #expect(table.rows.isEmpty && table.answer.count <= 1, "\(table.name): \(table.answer)")
    }
  }

  @Test("names the variant ahead with its interval, and leaves judging to compare")
  func rewards() throws {
    let table = try RewardReport().table(of: Self.log().reader)
    #expect(
      table.answer == [
        "checkout: v10 has the highest mean reward per decision, 0.5 (95 % interval 0.4003 to 0.5997); the interval "
          + "overlaps that of v3.",
        "This is no test: `bandolier report compare` judges differences.",
      ])
    let many = try RewardReport().table(of: Self.log(experiments: ["e1", "e10", "e2"]).reader)
    #expect(
      many.answer.first
        == "The highest mean reward per decision: e1 v10 (0.5), e2 v10 (0.5) and e10 v10 (0.5).")
  }

  @Test("says that nothing was rewarded, and what became of the goals")
  func withoutRewards() throws {
    let decision =
      #"{"type":"decision","time":"2026-01-02T00:00:00Z","unit":"u","experiment":"e","variant":"a"}"#
    let goal =
      #"{"type":"goal","time":"2026-01-01T00:00:00Z","unit":"u","experiment":"e","goal":"g"}"#
    #expect(
      try RewardReport().table(of: SmallLog([decision]).reader).answer
        == ["No decision has a reward: there are no goals."])
    #expect(
      try RewardReport().table(of: SmallLog([goal, decision]).reader).answer
        == ["No decision has a reward: 1 goal without a decision before it."])
  }

  @Test("has the numbers of the rows")
  func numbers() throws {
    let log = try Self.log()
    let regret = try RegretReport { $0.decomposes = true }.table(of: log.reader)
    #expect(
      regret.answer.first == "Most of the regret comes from checkout v2 (65.22 %).",
      "\(regret.answer)")
    let series = try SeriesReport().table(of: log.reader)
    #expect(
      series.answer.first == "From 2026-01-01 to 2026-01-03: 300 decisions and 104 rewards.",
      "\(series.answer)")
    #expect(series.series?.along == "day")
    let visits = try VisitReport().table(of: log.reader)
    #expect(visits.answer[0].hasPrefix("300 units came 1 times each"), "\(visits.answer)")
    let funnel = try FunnelReport { $0.steps = ["signup", "order"] }.table(of: log.reader)
    #expect(
      funnel.answer[0].hasPrefix(
        "checkout: v10 has the highest share of units that reached the last step, order, 50.00 %"),
      "\(funnel.answer)")
  }

  @Test("of goals that nobody has put in order is said of each on its own")
  func goals() throws {
    let report = try FunnelReport {
      $0.steps = ["order", "signup"]
      $0.order = .each
    }
    let table = try report.table(of: Self.log().reader)
    #expect(
      table.answer[0].hasPrefix(
        "checkout/order: v10 has the highest share of units that reached a goal, 50.00 %"),
      "\(table.answer)")
    #expect(table.answer[1].hasPrefix("checkout/signup: v10 has"), "\(table.answer)")
    #expect(table.cells(of: "share_of_previous").allSatisfy { $0 == .empty })
  }

  @Test("of goals each on their own has no row for one that nobody of an experiment reached")
  func otherGoals() throws {
    let lines = ["a", "b"].flatMap { name in
      [
        #"{"type":"decision","time":"2026-01-01T00:00:00Z","unit":"\#(name)","experiment":"\#(name)","#
          + #""variant":"v"}"#,
        #"{"type":"goal","time":"2026-01-01T01:00:00Z","unit":"\#(name)","experiment":"\#(name)","#
          + #""goal":"of-\#(name)"}"#,
      ]
    }
    let log = try SmallLog(lines)
    let rows = { (order: FunnelProjector.Order) in
      let report = try FunnelReport {
        $0.steps = ["of-a", "of-b"]
        $0.order = order
      }
      let table = try report.table(of: log.reader)
      return zip(table.cells(of: "experiment"), table.cells(of: "step")).map { [$0, $1] }
    }
    #expect(
      try rows(.each) == [
        [.text("a"), .integer(0)], [.text("a"), .integer(1)], [.text("b"), .integer(0)],
        [.text("b"), .integer(2)],
      ])
    #expect(try rows(.any).count == 6)
  }

  @Test("of units that came back is that of the last day that enough of them have seen")
  func retention() throws {
    let table = try RetentionReport { $0.days = [0, 1, 2] }.table(of: Self.log().reader)
    let units = { (day: Int) -> [Int] in
      zip(table.cells(of: "day"), table.cells(of: "units")).compactMap { cell, units in
        guard cell == .integer(day), case .integer(let count) = units else { return nil }
        return count
      }
    }
    // The log ends before half of the units of each variant have seen the end of the next day.
    #expect(try 2 * #require(units(1).min()) < #require(units(0).max()))
    #expect(table.answer[0].contains("came back on day 0"), "\(table.answer)")
  }

  @Test("of comparisons that decide nothing has the least p-value, with what it became")
  func undecided() throws {
    let log = try Self.log()
    var plan = ComparisonPlan()
    plan.alpha = 1e-9
    plan.correction = .bonferroni
    let table = try ComparisonReport {
      $0.measures = MetricPlan([Metric(.reward)])
      $0.plan = plan
    }
    .table(of: log.reader)
    #expect(table.answer.count == 2, "\(table.answer)")
    #expect(table.answer[0] == "Of 2 comparisons, 2 have no difference found.")
    #expect(
      table.answer[1].hasPrefix(
        "The least p-value: no difference found between v2 and v10 on reward: -60 %")
        && table.answer[1].contains(", adjusted p = "), "\(table.answer)")
  }

  @Test("of a sample size is how many units and days, first of all where there is none")
  func power() throws {
    let baseline = PowerReport.Baseline(rate: 0.1, units: 1_000)
    let table = try PowerReport().table(of: baseline)
    #expect(
      table.answer == [
        "a lift of 5 % takes 57760 units per variant; the units there are would show a lift of 37.59 %."
      ], "\(table.answer)")
    let zero = try PowerReport().table(of: .init(rate: 0.999))
    #expect(
      zero.answer == ["No sample size is known of (the lift leads out of 0 ... 1)."],
      "\(zero.answer)")
  }

  @Test("quotes names that could be read as words of it")
  func escaped() throws {
    let log = try Self.log(experiments: ["a b", "wins. Ship it"])
    let table = try RewardReport().table(of: log.reader)
    #expect(table.answer[0].hasPrefix("\"a b\": v10 has"))
    #expect(table.answer[1].hasPrefix("\"wins. Ship it\": v10 has"))
  }
}
