import EventLog
import Events
import Replay
import Reports
import Tables
import TestSupport
import Testing

@Suite("Report: adaptive")
struct AdaptiveReportTests {
  private static func decision(
    _ second: Int, _ variant: String, _ probabilities: [(String, Double)]?, experiment: String = "e"
  ) -> String {
    let quoted = { (name: String) in
      "\""
        + name.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\\\"") + "\""
    }
    let known = probabilities.map { pairs in
      #","choices":[\#(pairs.map { quoted($0.0) }.joined(separator: ","))],"#
        + #""probabilities":[\#(pairs.map { "\($0.1)" }.joined(separator: ","))]"#
    }
    return #"{"type":"decision","time":"2026-01-01T00:00:\#(second)Z","unit":"u\#(second)","#
      + #""experiment":"\#(experiment)","variant":\#(quoted(variant))\#(known ?? "")}"#
  }

  private static func goal(_ second: Int, _ value: Double, experiment: String = "e") -> String {
    #"{"type":"goal","time":"2026-01-01T00:01:00Z","unit":"u\#(second)","#
      + #""experiment":"\#(experiment)","goal":"g","value":\#(value)}"#
  }

  private func report(_ lines: [String], _ plan: AdaptivePlan = AdaptivePlan()) throws
    -> Table
  {
    let log = try SmallLog(lines)
    let streams = try LogReplay(log.reader, jobs: 2).adaptiveStreams(
      UnitSelection(), plan.attribution)
    return try AdaptiveReport(plan: plan).table(streams, names: log.names)
  }

  private func csv(_ table: Table) -> [String] {
    text(write(table, as: .csv)).split(separator: "\n").map(String.init)
  }

  private static let heading =
    "experiment,point,slot,variant,decisions,reward_mean,aw_mean,standard_error,ci_low,ci_high,"
    + "difference,difference_ci_low,difference_ci_high,p_value,status,method,baseline"

  @Test("a small log matches a calculation by hand")
  func golden() throws {
    // a: scores 2/0.5, 2, 2 + (4 - 2)/0.5, 3 = 4, 2, 6, 3: mean 3.75.
    // =b: scores 0, 1/0.5, 1, 1 + (3 - 1)/0.5 = 0, 2, 1, 5: mean 2.
    let half = [("a", 0.5), ("=b", 0.5)]
    let lines = [
      Self.decision(10, "a", half), Self.decision(11, "=b", half), Self.decision(12, "a", half),
      Self.decision(13, "=b", half), Self.goal(10, 2), Self.goal(11, 1), Self.goal(12, 4),
      Self.goal(13, 3),
    ]
    let table = try report(lines, AdaptivePlan(allocation: .uniform))
    let rows = csv(table)
    #expect(rows[0] == Self.heading)
    #expect(rows[1].hasPrefix("e,point-1,decision-1,=b,2,2,2,"))
    #expect(rows[1].hasSuffix(",,,,,ok,\"AIPW, uniform weights\",=b"))
    #expect(rows[2].hasPrefix("e,point-1,decision-1,a,2,3,3.75,"))
    // Σ (score - mean)²: 8.75 for a, 14 for =b; of the differences 4, 0, 5, -2 about 1.75: 32.75.
    #expect(abs(number(table.rows[0][7]) - 14.0.squareRoot() / 4) < 1e-12)
    #expect(abs(number(table.rows[1][7]) - 8.75.squareRoot() / 4) < 1e-12)
    #expect(abs(number(table.rows[1][8]) - (3.75 - 1.959963984540054 * 0.7395099728874520)) < 1e-9)
    #expect(number(table.rows[1][10]) == 1.75)
    let reach = number(table.rows[1][12]) - 1.75
    #expect(abs(reach - 1.959963984540054 * 32.75.squareRoot() / 4) < 1e-9)
    #expect(abs(number(table.rows[1][13]) - 0.2212) < 1e-3)
    #expect(table.notes.first { $0.name == "weighting" }?.value == .text("uniform"))
    #expect(table.notes.first { $0.name == "goals_credited" }?.value == .integer(4))
  }

  private func number(_ cell: TableCell) -> Double {
    if case .decimal(let number) = cell { return number }
    return .nan
  }

  @Test("missing values have a reason")
  func statuses() throws {
    let half = [("a", 0.5), ("b \"x\"", 0.5)]
    let statuses = { (table: Table) in table.rows.map { $0[14] } }
    let lacking = try report([Self.decision(10, "a", half), Self.decision(11, "b \"x\"", nil)])
    #expect(statuses(lacking) == [.text("needs probabilities"), .text("needs probabilities")])
    #expect(lacking.rows.allSatisfy { $0[6...13].allSatisfy { $0 == .empty } })
    #expect(lacking.rows.map { $0[5] } == [.decimal(0), .decimal(0)])
    #expect(
      lacking.notes.first { $0.name == "decisions_without_probabilities" }?.value == .integer(1))
    let wrong = try report([Self.decision(10, "a", [("a", 0.4)])])
    #expect(statuses(wrong) == [.text("probabilities cannot be right")])
    let one = try report([Self.decision(10, "a", half)])
    #expect(statuses(one) == [.text("too few decisions")])
    let still = try report([Self.decision(10, "a", half), Self.decision(11, "a", half)])
    #expect(statuses(still) == [.text("no variance")])
    let huge = try report([
      Self.decision(10, "a", [("a", 1e-10), ("b", 1)]), Self.decision(11, "b", [("b", 1)]),
      Self.goal(10, 1e300),
    ])
    #expect(statuses(huge) == [.text("values too large"), .text("values too large")])
    let other = try report(
      [Self.decision(10, "a", half), Self.decision(11, "b \"x\"", half), Self.goal(10, 1)],
      AdaptivePlan(baseline: "c"))
    #expect(statuses(other).first == .text("the baseline has no decisions"))
    #expect(other.rows.allSatisfy { $0[10] == .empty && $0[16] == .text("c") })
  }

  @Test("weightings, levels and baselines follow the parameters")
  func plans() throws {
    var lines: [String] = []
    for second in 10..<40 {
      let p = second % 2 == 0 ? 0.25 : 0.5
      lines.append(Self.decision(second, second % 3 == 0 ? "a" : "b", [("a", p), ("b", 1 - p)]))
      lines.append(Self.goal(second, Double(second % 4)))
    }
    var means: [[TableCell]] = []
    for allocation in AdaptiveAllocation.allCases {
      let table = try report(lines, AdaptivePlan(allocation: allocation, baseline: "b"))
      means.append(table.rows.map { $0[6] })
      #expect(table.rows.map { $0[14] } == [.text("ok"), .text("ok")])
      #expect(table.rows[1][10] == .empty && table.rows[0][10] != .empty)
    }
    #expect(means[0] != means[1] && means[1] != means[2] && means[0] != means[2])
    let wide = try report(lines, AdaptivePlan(level: 0.99)).rows[0]
    let narrow = try report(lines, AdaptivePlan(level: 0.5)).rows[0]
    #expect(number(wide[8]) < number(narrow[8]) && number(narrow[9]) < number(wide[9]))
  }

  @Test("an empty log has a heading and notes")
  func empty() throws {
    let table = try report([])
    #expect(csv(table) == [Self.heading])
    #expect(table.notes.first { $0.name == "decisions_confirmed" }?.value == .integer(0))
  }
}
