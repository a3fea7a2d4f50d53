import Bandits
import EventLog
import Events
import Replay
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

/// Logs of one experiment, in which each unit has one decision, and the reports on them.
private struct EvaluatedLog {
  let log: ReportLog

  /// Draws decisions between a and b with the probability of a, which is logged as the propensity unless another one is
  /// given, and their goals.
  init(
    _ count: Int, seed: UInt64 = 1, a: Double = 0.5, logged: ((Bool) -> Double?)? = nil,
    means: (Double, Double) = (0.2, 0.6), delay: Int64 = 1, choices: [VariantID]? = ["a", "b"]
  ) throws {
    var random = SeededGenerator(seed: seed)
    var events: [Event] = []
    for index in 0..<count {
      let isA = Draw.bernoulli(a, using: &random)
      let time = Int64(index) * 60_000_000
      let propensity = isA ? a : 1 - a
      let decision = Decision(
        experiment: "e", variant: isA ? "a" : "b", choices: choices,
        propensity: logged.map { $0(isA) } ?? propensity)
      events.append(ReportLog.event(time, "u\(index)", .decision(decision)))
      guard Draw.bernoulli(isA ? means.0 : means.1, using: &random) else { continue }
      events.append(
        ReportLog.event(time + delay, "u\(index)", .goal(Goal(experiment: "e", goal: "g"))))
    }
    log = try ReportLog(events)
  }

  static func plan(
    _ policies: [String], _ estimators: [String] = ["ips", "dr"],
    intervals: [String] = ["normal"], versus: Int? = nil
  ) throws -> OffPolicyPlan {
    var plan = OffPolicyPlan(
      policies: try policies.map {
        try TargetPolicyCatalog.standard.named($0) { path throws(SpecificationError) in
          throw SpecificationError(path)
        }
      }, estimators: try estimators.map { try EstimatorCatalog.standard.named($0) },
      intervals: try intervals.map { try IntervalCatalog.standard.named($0) },
      rewardModel: try TabularRewards())
    plan.versus = versus
    return plan
  }

  func result(_ report: EvaluationReport) throws -> ReportResult {
    try report.finished(
      ReportSource(report, log.replay, UnitSelection(), names: log.names))
  }

  func verdict(_ policy: String) throws -> (answer: TableCell?, reasons: TableCell?) {
    let report = try EvaluationReport(plan: Self.plan([policy]), table: .support)
    let table = try result(report).table
    return (table.cell("verdict"), table.cell("reasons"))
  }
}

extension Table {
  fileprivate func cell(_ name: String, row: Int = 0) -> TableCell? {
    guard let column = columns.firstIndex(where: { $0.name == name }), row < rows.count else {
      return nil
    }
    return rows[row][column]
  }

  fileprivate func note(_ name: String) -> TableNote? { notes.first { $0.name == name } }

  fileprivate func number(_ name: String, row: Int = 0) -> Double? {
    if case .decimal(let number) = cell(name, row: row) { return number }
    return nil
  }

  fileprivate func text(_ name: String, row: Int = 0) -> String? {
    if case .text(let text) = cell(name, row: row) { return text }
    return nil
  }
}

extension TableNote {
  fileprivate var text: String {
    if case .text(let text) = value { return text }
    return ""
  }
}

@Suite("Report evaluate")
struct EvaluationReportTests {
  @Test("a row for each policy, estimator and interval; the columns of the design come first")
  func values() throws {
    let log = try EvaluatedLog(400)
    let plan = try EvaluatedLog.plan(
      ["uniform", "fixed:variant=b"], ["ips", "dr", "switch-dr"],
      intervals: ["normal", "clopper-pearson"])
    let table = try log.result(EvaluationReport(plan: plan)).table
    #expect(table.rows.count == 12)
    #expect(
      table.columns.map(\.name).prefix(12) == [
        "experiment", "policy", "estimator", "decisions", "value", "se", "ci_low", "ci_high",
        "effective_sample_size", "mean_weight", "max_weight", "matched",
      ])
    // Clopper and Pearson's interval is of estimates of weights and rewards alone.
    for row in table.rows.indices {
      let isEmpty = table.cell("ci_low", row: row) == .empty
      let applies =
        table.text("estimator", row: row) == "ips" || table.text("interval", row: row) == "normal"
      #expect(isEmpty == !applies, "\(row)")
    }
    let value = try #require(table.number("value"))
    #expect(table.text("policy") == "fixed:variant=b" && abs(value - 0.6) < 0.15)
    #expect(table.note("verdict_1")?.isLead == true && table.note("attribution")?.isLead == false)
    #expect(table.note("logged_propensities")?.text.hasPrefix("constant") == true)
  }

  @Test("a log with propensities and support for the policy answers")
  func answers() throws {
    let log = try EvaluatedLog(400)
    let (answer, reasons) = try log.verdict("uniform")
    #expect(answer == .text("answers") && reasons == .text(""))
    let report = try EvaluationReport(
      plan: EvaluatedLog.plan(["uniform"]), alarms: [.support])
    let result = try log.result(report)
    #expect(result.alarm == nil)
    #expect(result.table.note("verdict")?.text.hasPrefix("uniform: answers: effective") == true)
  }

  @Test("what makes a verdict worse is its reason")
  func verdicts() throws {
    var (answer, reasons) = try EvaluatedLog(20).verdict("uniform")
    #expect(answer == .text("cannot-answer"))
    #expect(reasons == .text("the effective sample size is 20 of 20 decisions"))
    (answer, reasons) = try EvaluatedLog(80).verdict("uniform")
    #expect(answer == .text("weak"))
    // No decision has a propensity.
    (answer, reasons) = try EvaluatedLog(50, logged: { _ in nil }).verdict("uniform")
    #expect(answer == .text("cannot-answer"))
    #expect(reasons == .text("none of the 50 decisions has a propensity"))
    // A variant that is not in the log.
    (answer, reasons) = try EvaluatedLog(400).verdict("fixed:variant=c")
    #expect(reasons == .text("the policy would have made none of the 400 decisions"))
    // A choice that was never taken: a fifth of what the policy would choose.
    let choices: [VariantID] = ["a", "b", "c", "d", "f"]
    let some = try EvaluatedLog(2_000, choices: choices)
    (answer, reasons) = try some.verdict("weights:a=2;b=2;c=1")
    #expect(answer == .text("cannot-answer"))
    guard case .text(let text) = reasons else { return }
    #expect(text.hasPrefix("20 % of what the policy would choose was never possible"), "\(text)")
    #expect(text.contains("the mean weight is 0.8"), "\(text)")
  }

  @Test("propensities that are too small show in the mean of 1/p and in the mean weight")
  func wrongPropensities() throws {
    let log = try EvaluatedLog(2_000, a: 0.5, logged: { _ in 0.3 })
    let (answer, reasons) = try log.verdict("uniform")
    #expect(answer == .text("cannot-answer"))
    guard case .text(let text) = reasons else { return }
    #expect(text.contains("the mean weight is 1.67"), "\(text)")
    // All are the same, so that there is no standard error; with a spread there is.
    let spread = try EvaluatedLog(2_000, a: 0.5, logged: { $0 ? 0.25 : 0.4 })
    guard case .text(let other) = try spread.verdict("uniform").reasons else { return }
    #expect(other.contains("the mean of 1/propensity is 3.2"), "\(other)")
    let report = try EvaluationReport(
      plan: EvaluatedLog.plan(["uniform"]), table: .propensities, alarms: [.support])
    let result = try spread.result(report)
    #expect(result.table.cell("varying") == .integer(0))
    #expect(result.table.cell("choices_mean") == .decimal(2))
    #expect(try #require(result.table.number("z")) > 20)
    #expect(result.alarm?.hasPrefix("support: uniform: cannot-answer: ") == true)
  }

  @Test("the overlap of all variants adds up")
  func overlap() throws {
    let log = try EvaluatedLog(1_000, a: 0.8)
    let plan = try EvaluatedLog.plan(["uniform"])
    let table = try log.result(EvaluationReport(plan: plan, table: .overlap)).table
    #expect(table.rows.count == 2)
    for (row, propensity) in [0.8, 0.2].enumerated() {
      #expect(table.cell("offered", row: row) == .integer(1_000))
      #expect(abs(try #require(table.number("propensity_mean", row: row)) - propensity) < 1e-12)
      #expect(table.cell("propensities", row: row) == .integer(1))
      #expect(table.cell("target_share", row: row) == .decimal(0.5))
    }
    let weights = try log.result(EvaluationReport(plan: plan, table: .weights)).table
    // 0.5/0.8 and 0.5/0.2
    #expect(weights.cell("low", row: 0) == .decimal(0.5))
    #expect(weights.cell("low", row: 1) == .decimal(2) && weights.rows.count == 2)
    let shares = (0..<2).compactMap { weights.number("share", row: $0) }
    #expect(abs(shares.reduce(0, +) - 1) < 1e-12)
  }

  @Test("a policy is compared with another one in a sentence")
  func versus() throws {
    let log = try EvaluatedLog(2_000)
    let plan = try EvaluatedLog.plan(
      ["fixed:variant=b", "uniform"], ["cressie-read", "ips"], versus: 1)
    let table = try log.result(EvaluationReport(plan: plan)).table
    #expect(table.name == "versus" && table.rows.count == 1)
    let difference = try #require(table.number("difference"))
    let (value, other) = (table.number("value") ?? 0, table.number("versus_value") ?? 0)
    #expect(abs(difference - (value - other)) < 1e-12 && abs(difference - 0.2) < 0.05)
    let sentence = try #require(table.note("difference"))
    #expect(sentence.isLead)
    #expect(sentence.text.hasPrefix("policy fixed:variant=b earns 0."), "\(sentence.text)")
    #expect(sentence.text.contains(" more than uniform [0."), "\(sentence.text)")
    #expect(table.note("estimators_without")?.text.hasPrefix("cressie-read: ") == true)
  }

  @Test("longer windows credit goals that came later")
  func windows() throws {
    let log = try EvaluatedLog(500, delay: 7_200_000_000)
    var plan = try EvaluatedLog.plan(["uniform"], ["ips"])
    plan.attribution.window = 3_600_000_000
    let table = try log.result(
      EvaluationReport(plan: plan, windows: [3_600_000_000, 86_400_000_000, nil])
    ).table
    let windows = table.rows.indices.compactMap { table.text("window", row: $0) }
    #expect(windows == ["1d", "1h", "none"])
    #expect(table.number("value", row: 1) == 0 && table.number("change", row: 1) == 0)
    let late = try #require(table.number("change", row: 2))
    #expect(abs(late - 0.4) < 0.1 && table.number("change", row: 0) == late)
    #expect(table.note("window")?.text.contains("with the window none instead of 1h") == true)
  }

  @Test("periods have the decisions of all others together")
  func time() throws {
    let log = try EvaluatedLog(500)
    let plan = try EvaluatedLog.plan(["uniform"], ["ips", "dr"])
    let report = try EvaluationReport(
      plan: plan, table: .time, plots: EvaluationPlots(time: "time.svg"))
    let result = try log.result(report)
    // 500 minutes.
    #expect(
      result.table.rows.count == 18 && result.table.note("period")?.text.hasPrefix("1h") == true)
    var decisions = 0
    for row in result.table.rows.indices where result.table.text("estimator", row: row) == "ips" {
      if case .integer(let count) = result.table.cell("decisions", row: row) { decisions += count }
    }
    #expect(decisions == 500)
    #expect(result.table.cell("start") == .timestamp("1970-01-01T00:00:00Z"))
    let svg = try #require(SVGContent(try #require(result.files.first?.text)))
    #expect(!svg.isBroken && svg.says("value by ips") && svg.count("circle") == 9)
  }

  @Test("the estimators are judged by a log of the policy itself")
  func truth() throws {
    let log = try EvaluatedLog(3_000, a: 0.5)
    let own = try EvaluatedLog(3_000, seed: 2, a: 0.9)
    let plan = try EvaluatedLog.plan(["weights:a=0.9;b=0.1"], ["ips", "snips", "dm", "slope"])
    let path = own.log.folder.path("log")
    let report = try EvaluationReport(
      plan: plan, truth: EvaluationTruth(path: path, replicates: 200),
      plots: EvaluationPlots(estimates: "forest.svg"))
    let result = try log.result(report)
    let table = result.table
    #expect(table.name == "truth" && table.rows.count == 4)
    for row in table.rows.indices {
      let (value, truth) = (table.number("value", row: row), table.number("truth", row: row))
      let error = try #require(table.number("relative_error", row: row))
      #expect(abs(error - abs((value ?? 0) / (truth ?? 1) - 1)) < 1e-9)
      #expect(abs(try #require(truth) - 0.24) < 0.03)
      let hasBootstrap = table.text("estimator", row: row)?.hasPrefix("slope") != true
      #expect((table.number("error_mean", row: row) != nil) == hasBootstrap)
    }
    let shares = table.rows.indices.compactMap { table.number("closest_share", row: $0) }
    #expect(shares.count == 3 && abs(shares.reduce(0, +) - 1) < 1e-9)
    #expect(table.notes.last?.name == "trust")
    let svg = try #require(SVGContent(try #require(result.files.first?.text)))
    #expect(!svg.isBroken && svg.says("truth") && svg.count("circle") == 4)
  }

  @Test("a truth without the experiment, or without decisions, is an error")
  func noTruth() throws {
    let log = try EvaluatedLog(100)
    let path = log.log.folder.path("log")
    let plan = try EvaluatedLog.plan(["uniform"])
    let report = try EvaluationReport(
      plan: plan, truth: EvaluationTruth(path: path, experiment: "f", replicates: 10))
    let error = #expect(throws: ReportError.self) { try log.result(report) }
    #expect(error?.code == .badData && error?.description.contains("\"f\"") == true)
    #expect(throws: LogError.self) {
      try log.result(
        EvaluationReport(plan: plan, truth: EvaluationTruth(path: path + "-none", replicates: 10)))
    }
  }

  @Test("plots of any policies are drawn")
  func plots() throws {
    let log = try EvaluatedLog(300, a: 0.95)
    let plan = try EvaluatedLog.plan(
      ["uniform", "fixed:variant=b", "fixed:variant=c"], ["ips", "snips"],
      intervals: ["normal", "student-t"])
    let report = try EvaluationReport(
      plan: plan, plots: EvaluationPlots(estimates: "a.svg", weights: "b.svg", time: "c.svg"))
    let files = try log.result(report).files
    #expect(files.map(\.path) == ["a.svg", "b.svg", "c.svg"])
    let plots = files.compactMap { SVGContent($0.text) }
    #expect(plots.count == 3 && plots.allSatisfy { !$0.isBroken })
    #expect(plots[0].says("snips · student-t") && plots[0].says("no estimate"))
    #expect(plots[1].says("share of the weight") && plots[2].says("value by ips"))
    // Nothing to draw.
    let empty = try EvaluatedLog(0)
    let none = try empty.result(report)
    #expect(none.table.rows.isEmpty && none.files.count == 3)
    #expect(none.files.allSatisfy { SVGContent($0.text)?.isBroken == false })
  }

  @Test("parameters out of their range are refused by their names")
  func parameters() throws {
    let plan = try EvaluatedLog.plan(["uniform"])
    var same = plan
    same.policies += plan.policies
    let two = try EvaluatedLog.plan(["uniform", "logged"])
    let truth = EvaluationTruth(path: "log")
    let errors = [
      #expect(throws: ReportError.self) { try EvaluationReport(plan: plan, level: 1) },
      #expect(throws: ReportError.self) { try EvaluationReport(plan: same) },
      #expect(throws: ReportError.self) { try EvaluationReport(plan: plan, table: .versus) },
      #expect(throws: ReportError.self) { try EvaluationReport(plan: plan, table: .windows) },
      #expect(throws: ReportError.self) { try EvaluationReport(plan: plan, windows: [1, 1]) },
      #expect(throws: ReportError.self) { try EvaluationReport(plan: plan, windows: [-1]) },
      #expect(throws: ReportError.self) { try EvaluationReport(plan: two, truth: truth) },
      #expect(throws: ReportError.self) {
        try EvaluationReport(plan: plan, truth: EvaluationTruth(path: "log", replicates: 0))
      },
    ]
    #expect(errors.allSatisfy { $0?.code == .badParameter })
    let names = errors.map { $0?.description.split(separator: " ").first ?? "" }
    #expect(
      names == ["alpha", "policy", "table", "table", "windows", "window", "truth", "replicates"])
  }

  @Test("the explanation has every column of every table")
  func explanation() throws {
    let log = try EvaluatedLog(50)
    let plan = try EvaluatedLog.plan(["uniform", "logged"], versus: 1)
    let words = EvaluationReport.explanation.entries.map { "\($0.columns) \($0.formula)" }
      .joined(separator: " ").split { !($0.isLetter || $0.isNumber || $0 == "_") }
    let known = Set(words.map(String.init))
    let keys: Set = ["experiment", "policy", "point", "slot", "versus"]
    for table in EvaluationTable.allCases {
      let isTruth = table == .truth
      let report = try EvaluationReport(
        plan: isTruth ? EvaluatedLog.plan(["uniform"]) : plan, table: table,
        windows: table == .windows ? [nil] : [],
        truth: isTruth
          ? EvaluationTruth(path: log.log.folder.path("log"), replicates: 10) : nil)
      for column in try log.result(report).table.columns {
        #expect(
          known.contains(column.name) || keys.contains(column.name), "\(table): \(column.name)")
      }
    }
  }
}
