import EventLog
import Events
import Statistics
import Tables
import TestSupport
import Testing

@testable import Replay
@testable import Reports

/// Experiments that are looked at every day.
@Suite("When an experiment is decided")
struct StoppingRuleTests {
  /// The verdicts of the goal metric after each day, of two variants of which these shares convert.
  private func verdicts(
    _ shares: [Double], days: Int, unitsPerDay: Int, using random: inout SeededGenerator
  ) throws -> [ComparisonVerdict] {
    var plan = ComparisonPlan()
    plan.method = StoppingRule.everyLook.method
    let metric = Metric(.converted)
    var groups = [0, 1].map { _ in MetricSample(metric: metric, units: 0, tally: MetricTally()) }
    return (0..<days).map { _ in
      for variant in groups.indices {
        for _ in 0..<unitsPerDay {
          let converts = random.chance(shares[variant])
          groups[variant].units += 1
          groups[variant].tally.moments.add(converts ? 1 : 0)
          groups[variant].tally.converters += converts ? 1 : 0
        }
      }
      let comparison = PairTest(plan: plan).compare(groups[1], groups[0])
      return comparison.verdict(plan, adjusted: comparison.difference?.pValue).verdict
    }
  }

  @Test(
    "of 1,000 experiments without an effect and 14 daily looks at most 5 % are decided at any look")
  func noEffect() throws {
    var random = SeededGenerator(seed: 61)
    var decided = 0
    for _ in 0..<1_000 {
      let days = try verdicts([0.1, 0.1], days: 14, unitsPerDay: 40, using: &random)
      if days.contains(where: \.isDecided) { decided += 1 }
    }
    // Simulated elsewhere: about 0.4 %; Welch's test at each look decides a quarter of them.
    #expect(decided <= 20, "\(decided)")
  }

  @Test("of 1,000 experiments with an effect more than half ship, and none is rolled back")
  func effect() throws {
    var random = SeededGenerator(seed: 62)
    var (higher, lower) = (0, 0)
    for _ in 0..<1_000 {
      let days = try verdicts([0.1, 0.17], days: 14, unitsPerDay: 40, using: &random)
      let first = days.first(where: \.isDecided)
      if first == .better { higher += 1 }
      if first == .worse { lower += 1 }
    }
    // 1.45 times the effect that one test of all units would find in 80 % of cases: 60 % are found by then.
    #expect(higher >= 550 && lower <= 5, "\(higher) higher, \(lower) lower")
  }

  @Test("the units needed at every look find the effect in at least 80 % of cases")
  func needed() throws {
    var plan = ComparisonPlan()
    plan.method = .asymptoticCS
    // 10 % against 15 %: 683 of each variant for a single test (unpooled).
    let units = try #require(StoppingRule.everyLook.units(1_366, plan, power: 0.8))
    #expect(units > 1.5 * 1_366 && units < 3 * 1_366)
    var random = SeededGenerator(seed: 63)
    let found = try (0..<300).count { _ in
      try verdicts([0.1, 0.15], days: 4, unitsPerDay: Int(units / 8), using: &random)
        .contains(.better)
    }
    // 80 % of 300 is 240, with a standard deviation of 6.9.
    #expect(found >= 226, "\(found)")
    #expect(StoppingRule.atUnits(500).units(1_366, plan, power: 0.8) == 500)
    #expect(StoppingRule.everyLook.units(nil, plan, power: 0.8) == nil)
  }

  private func table(_ events: [Event], _ settings: String) throws -> Table {
    let log = try ComparisonLog(events)
    let plan = try AnalysisPlan(
      yaml: "experiments:\n  e:\n    metric: converted\n\(settings)", path: "plan.yaml")
    return try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 2))
  }

  @Test("a difference that is significant at one look only ships at the planned units, not before")
  func planned() throws {
    // p = 0.01 at a single look.
    let events =
      ComparedUnits.share("a", 100, of: 500) + ComparedUnits.share("b", 135, of: 500)
    let any = try table(events, "")
    #expect(any.named.first?.text("recommendation") == "keep running")
    #expect(any.named.first?.number("p_value").map { $0 > 0.05 } == true)
    let now = try table(events, "    units: 1000\n    until: 1970-01-03\n")
    #expect(now.named.first?.text("recommendation") == "ship")
    #expect(now.named.first?.number("units_needed") == 1_000)
    let early = try table(events, "    units: 1200\n")
    let row = try #require(early.named.first)
    #expect(row.text("recommendation") == "keep running" && row["p_value"] == .empty)
    #expect(row.text("verdict") == "too early" && row["lift_ci_low"] == .empty)
    #expect(
      row.text("reason")?.hasPrefix("too early: 1,000 of 1,200 units") == true
        || row.text("reason")?.hasPrefix("too early: 1000 of 1200 units") == true)
    let method = { (table: Table) in table.notes.first { $0.name == "method" }.map { "\($0.value)" }
    }
    #expect(method(any)?.contains("every look") == true)
    #expect(method(early)?.contains("once, at 1200 units") == true)
  }

  @Test("shares that are not equal need more units")
  func shares() throws {
    let events = ComparedUnits.share("a", 80, of: 800) + ComparedUnits.share("b", 21, of: 200)
    let needed = try ["", "    shares: {a: 0.5, b: 0.5}\n", "    shares: {a: 0.8, b: 0.2}\n"].map { shares in
      try #require(try table(events, "    minimum_effect: 0.3\n\(shares)").named.first?.number("units_needed"))
    }
    // (1/0.2 + 1/0.8)/2 = 3.125 in place of 2, and a sequence of more units is a little wider.
    #expect(needed[0] == needed[1])
    #expect(needed[2] / needed[1] > 1.5 && needed[2] / needed[1] < 1.7, "\(needed)")
  }

  @Test("planned units that cannot be tested are not told as no difference")
  func untested() throws {
    let events =
      ComparedUnits.units("a", ["g": Array(repeating: 10, count: 50)])
      + ComparedUnits.units("b", ["g": Array(repeating: 12, count: 50)])
    let log = try ComparisonLog(events)
    let plan = try AnalysisPlan(
      yaml: "experiments:\n  e:\n    metric: reward\n    units: 100\n    until: 1970-01-03\n", path: "plan.yaml")
    let card = try #require(
      try DecisionReport(plan).table(of: LogReplay(log.reader, jobs: 2)).cards.first)
    #expect(card.headline.hasPrefix("Nothing was tested: reward is 12 for every unit"), "\(card.headline)")
    #expect(card.lines.last?.text == "plan more units: these are too few for a test")
  }

  @Test("planned units that have come without a difference stop")
  func stop() throws {
    let events =
      ComparedUnits.share("a", 100, of: 500) + ComparedUnits.share("b", 101, of: 500)
    let row = try #require(try table(events, "    units: 900\n    until: 1970-01-03\n").named.first)
    #expect(row.text("recommendation") == "stop")
    #expect(row.text("reason")?.hasSuffix("units that were planned") == true)
    #expect(
      try table(events, "    units: 900\n    until: 1970-01-03\n").cards.first?.lines.last?.text
        == "stop, and keep \"a\"; plan more units if an effect within the interval matters")
  }

  @Test("planned units are read and written, and are whole")
  func file() throws {
    let text = "experiments:\n  e:\n    metric: reward\n    units: 20000\n"
    let plan = try AnalysisPlan(yaml: text, path: "plan.yaml")
    #expect(plan.entries.first?.stopping == .atUnits(20_000) && plan.yaml == text)
    for wrong in ["0", "1", "2.5", "many", "-3"] {
      let error = #expect(throws: ReportError.self) {
        try AnalysisPlan(yaml: "experiments:\n  e:\n    units: \(wrong)\n", path: "plan.yaml")
      }
      #expect(error.map { "\($0)".contains("plan.yaml:3") && "\($0)".contains("units") } == true)
    }
  }

  @Test("the method names what decided: an exact test where events are few")
  func methods() throws {
    let once = "    units: 1000\n    until: 1970-01-03\n"
    let method = { (converted: Int, settings: String) in
      try table(
        ComparedUnits.share("a", converted, of: 500) + ComparedUnits.share("b", converted + 60, of: 500), settings
      ).method?.text ?? ""
    }
    #expect(try method(100, once).hasPrefix("decides once, at 1000 units, by compare by welch; level"))
    let few = try method(2, once)
    #expect(few.contains("by compare by mid-p exact test with score intervals, for few events; level"), "\(few)")
    #expect(try method(2, "").contains("(compare by exact confidence sequence of two proportions, for few events)"))
  }

  /// Compares two variants, of which one is better at a single look, with an analysis file.
  private func compared(_ settings: String) throws -> Table {
    let events =
      ComparedUnits.share("a", 100, of: 500) + ComparedUnits.share("b", 135, of: 500)
    let log = try ComparisonLog(events)
    let plan = try AnalysisPlan(yaml: "experiments:\n  e:\n    metric: converted\n\(settings)", path: "p")
    let run = AnalysisRun(plan, takesDimensions: true) { _ in
      try ComparisonReport {
        $0.measures = MetricPlan([Metric(.converted)])
        $0.plan = ComparisonPlan()
      }
    }
    let source = ReportSource(
      DecisionReport(plan), LogReplay(log.reader, jobs: 2), UnitSelection(),
      names: try LogNames(
        log.reader, [.experiments, .points, .slots, .variants, .goals, .reasons]))
    return try run.result(of: source).table
  }

  @Test("compare with an analysis file recommends what decisions recommends")
  func compare() throws {
    let row = try #require(try compared("").named.first)
    // A single look would find it better, at p = 0.01.
    #expect(row.text("verdict") == "no difference found" && row.text("recommendation") == "keep running")
    #expect((row.number("p_value") ?? 0) > 0.05 && row["lift_ci_low"] != .empty)
    #expect(row.text("method")?.hasPrefix("asymptotic-cs") == true)
  }

  @Test("compare with an analysis file has no test before the planned units, in breakdowns neither")
  func withheld() throws {
    let table = try compared("    units: 1200\n    dimensions: [day]\n")
    #expect(table.named.count == 2 && table.named.contains { $0["dimension"] != .empty })
    for row in table.named {
      #expect(row.text("verdict") == "too early" && row["lift"] != .empty && row["mean"] != .empty)
      #expect(row.text("reason") == "planned_units: 1000 of 1200 units are there")
      for column in ["p_value", "p_value_adjusted", "lift_ci_low", "ci_high", "chance_to_win"] {
        #expect(row[column] == .empty, "\(column)")
      }
    }
    #expect(table.named.contains { $0.text("recommendation") == "keep running" })
    let tested = try #require(try compared("    units: 1000\n    until: 1970-01-03\n").named.first)
    #expect(tested.number("p_value") != nil)
  }
}
