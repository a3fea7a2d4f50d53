import Bandits
import OffPolicy
import Replay
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("Reports of rewards by a metric")
struct RewardMetricReportTests {
  /// One decision each of two units, of which one loads in 300 ms and both buy: goals of milliseconds and of euros, and
  /// a conversion with revenue.
  private static func log(_ goals: [String] = ["latency", "purchase"]) throws -> SmallLog {
    let decisions = ["u", "v"].map { unit in
      #"{"type":"decision","time":"2026-01-01T00:00:00Z","unit":"\#(unit)","experiment":"e","#
        + #""variant":"\#(unit == "u" ? "a" : "b")","propensity":0.5,"choices":["a","b"],"probabilities":[0.5,0.5]}"#
    }
    let values = ["latency": 300.0, "purchase": 20]
    let ofGoals = goals.flatMap { goal in
      (goal == "latency" ? ["u"] : ["u", "v"]).map { unit in
        #"{"type":"goal","time":"2026-01-01T00:00:01Z","unit":"\#(unit)","experiment":"e","goal":"\#(goal)","#
          + #""value":\#(values[goal] ?? 1)}"#
      }
    }
    let order =
      #"{"type":"conversion","time":"2026-01-01T00:00:02Z","unit":"v","goal":"order","revenue":7}"#
    return try SmallLog(decisions + ofGoals + [order])
  }

  private static let added =
    "Rewards add up the values of latency and purchase; --metric reward:goal=NAME counts one of them."

  /// The reports of decisions, with a metric.
  private static func reports(_ metric: String) throws -> [any Report] {
    try reports(RewardMetric(parsing: metric))
  }

  private static func reports(_ metric: RewardMetric) throws -> [any Report] {
    var attribution = Attribution()
    attribution.metric = metric
    return [
      try RewardReport { $0.attribution = attribution },
      try SeriesReport { $0.attribution = attribution },
      try RegretReport { $0.rules.attribution = attribution },
      try AdaptiveReport { $0.plan.attribution = attribution },
      try EvaluationReport {
        $0.plan.policies = [UniformTarget()]
        $0.plan.attribution = attribution
      },
    ]
  }

  @Test("name the goals that they add up, unless there is one or a metric was asked for")
  func answers() throws {
    for report in try Self.reports("reward") {
      let table = try report.table(of: Self.log().reader)
      #expect(table.answer.last == Self.added, "\(table.name): \(table.answer)")
      #expect(table.answer.count <= 3)
      let single = try report.table(of: Self.log(["purchase"]).reader)
      #expect(single.answer.last != Self.added && !single.answer.isEmpty)
    }
    for report in try Self.reports("reward:goal=purchase") + Self.reports("goals") {
      let table = try report.table(of: Self.log().reader)
      #expect(table.answer.last != Self.added, "\(table.name)")
      let note = table.notes.first { $0.name == "metric" }?.value
      #expect(note == .text("reward:goal=purchase") || note == .text("goals"), "\(table.name)")
    }
  }

  @Test("say the title, the unit and the decimals of a named metric")
  func named() throws {
    let lines = (0..<400).flatMap { number -> [String] in
      let variant = number % 2 == 0 ? "a" : "b"
      let time = { (second: Int) in "2026-01-01T0\(number / 60):\(10 + number % 60 / 2):1\(second)Z" }
      let decision =
        #"{"type":"decision","time":"\#(time(0))","unit":"u\#(number)","experiment":"e","variant":"\#(variant)","#
        + #""propensity":0.5,"choices":["a","b"],"probabilities":[0.5,0.5]}"#
      let goal =
        #"{"type":"goal","time":"\#(time(1))","unit":"u\#(number)","experiment":"e","goal":"purchase","#
        + #""value":\#(variant == "a" ? 20 : 10)}"#
      return number % 4 < 2 ? [decision, goal] : [decision]
    }
    var metric = Metric(.reward, goal: "purchase")
    metric.label = Metric.Label("spend")
    metric.label?.title = "order value"
    metric.label?.unit = "€"
    metric.label?.decimals = 2
    for report in try Self.reports(RewardMetric(ofDecisions: metric)) {
      let table = try report.table(of: SmallLog(lines).reader)
      let answer = table.answer.joined(separator: " ")
      #expect(answer.contains("order value") && answer.contains(" €"), "\(table.name): \(answer)")
      if let headline = table.cards.first?.headline {
        #expect(headline.contains("earns most: order value of ") && headline.contains(" € per decision"))
      }
    }
  }

  @Test("credit what was asked for")
  func sums() throws {
    let expected: [String: [Double]] = [
      "reward": [320, 20], "reward:goal=purchase": [20, 20], "goals": [2, 1], "converted": [1, 1],
      "conversions": [0, 1], "revenue": [0, 7], "revenue:goal=order": [0, 7],
      "converted:goal=latency": [1, 0],
    ]
    for (metric, sums) in expected {
      let table = try Self.reports(metric)[0].table(of: Self.log().reader)
      #expect(table.cells(of: "reward_sum") == sums.map { .decimal($0) }, "\(metric)")
      #expect(table.cells(of: "reward_mean") == sums.map { .decimal($0) }, "\(metric)")
    }
  }

  @Test("refuse a goal that the log does not have, and a share of a converted decision")
  func refused() throws {
    for report in try Self.reports("reward:goal=purchas") {
      let error = #expect(throws: ReportError.self) { try report.table(of: Self.log().reader) }
      #expect("\(try #require(error))".contains("purchase"), "\(type(of: report).name)")
    }
    var attribution = Attribution(rule: .linear)
    attribution.metric = try RewardMetric(parsing: "converted")
    #expect(throws: ReportError.self) { try RewardReport { $0.attribution = attribution } }
  }
}
