import Bandits
import Events
import OffPolicy
import Replay
import Specifications
import Tables
import Testing

@testable import Reports

@Suite("Why an estimate has no error")
struct EvaluationStatusTests {
  private func table(
    _ log: EvaluatedLog, _ policies: [String], _ estimators: [String],
    intervals: [String] = ["normal"], versus: Int? = nil, table: EvaluationTable? = nil
  ) throws -> Table {
    try log.result(
      EvaluationReport {
        $0.plan = try EvaluatedLog.plan(policies, estimators, intervals: intervals, versus: versus)
        $0.askedTable = table
      }
    ).table
  }

  @Test("dm is near the truth with rewards of any scale, has no error, and the column says why")
  func directMethod() throws {
    let table = try table(EvaluatedLog(500), ["fixed:variant=b"], ["dm", "dr"])
    let value = try #require(table.number("value"))
    #expect(abs(value - 0.6) < 0.1)
    for column in ["se", "ci_low", "ci_high"] { #expect(table.cell(column) == .empty) }
    #expect(table.text("status")?.contains("rests on the reward model") == true)
    #expect(table.cell("status", row: 1) == .empty && table.number("se", row: 1) != nil)
    #expect(table.note(named: "reward_model")?.text.contains("m the mean reward") == true)
  }

  @Test("no reward with weight, a log without rewards, one unit: no interval, with the reason")
  func reasons() throws {
    let none = try table(EvaluatedLog(300, means: (0, 0)), ["uniform"], ["ips", "snips", "dr"])
    for row in none.rows.indices {
      #expect(none.cell("ci_low", row: row) == .empty && none.cell("se", row: row) == .empty)
      #expect(none.text("status", row: row)?.contains("no reward other than 0 has weight") == true)
    }
    let never = try table(EvaluatedLog(300, means: (0, 0.5)), ["fixed:variant=a"], ["ips"])
    #expect(never.text("status")?.contains("no reward other than 0") == true)
    let one = try table(EvaluatedLog(1), ["uniform"], ["ips"])
    #expect(one.text("status")?.contains("fewer than two units") == true)
    let bounded = try table(
      EvaluatedLog(300, means: (0, 0)), ["uniform"], ["ips", "dr"], intervals: ["clopper-pearson"])
    #expect(bounded.text("status", row: 0) == "clopper-pearson does not apply to dr")
    #expect(bounded.number("ci_high", row: 1) != nil)
  }

  @Test("differences, periods and sequences say why they have none")
  func otherTables() throws {
    let log = try EvaluatedLog(400)
    let versus = try table(log, ["uniform", "logged"], ["ips", "dm"], versus: 1)
    #expect(versus.rows.count == 2 && versus.text("status", row: 0)?.contains("model") == true)
    #expect(versus.cell("ci_low", row: 0) == .empty && versus.cell("p_value", row: 0) == .empty)
    let few = try table(
      EvaluatedLog(40, means: (0.05, 0.05)), ["uniform"], ["ips"], intervals: ["confidence-sequence"])
    #expect(few.text("status")?.hasPrefix("not valid yet: fewer than 20 units") == true)
    let time = try table(log, ["uniform"], ["dm"], table: .time)
    #expect(time.text("status")?.contains("model") == true && time.cell("se") == .empty)
  }

  @Test("a policy compared with itself, and a learning policy, are refused in words")
  func versus() throws {
    #expect {
      try EvaluationReport { $0.plan = try EvaluatedLog.plan(["uniform"], versus: 0) }
    } throws: {
      "\($0)".contains("names uniform") && "\($0)".contains("not compared with itself")
    }
    var plan = try EvaluatedLog.plan(["uniform"], versus: 0)
    plan.learningPolicies = [try ReplayedPolicy(Specification("ucb1"))]
    #expect {
      try EvaluationReport { $0.plan = plan }
    } throws: {
      "\($0)".contains("ucb1 learns while it is replayed")
    }
  }

  @Test("a learning policy on a log without propensities is told what is missing")
  func withoutPropensities() throws {
    let log = try EvaluatedLog(50, logged: { _ in nil })
    var plan = try EvaluatedLog.plan([])
    plan.learningPolicies = [try ReplayedPolicy(Specification("ucb1"))]
    let table = try log.result(EvaluationReport { $0.plan = plan }).table
    #expect(
      table.answer.first?.contains("none of the 50 decisions has a propensity") == true)
    #expect(table.answer.first?.contains("log \"propensity\"") == true)
  }

  @Test("where the log lacks what the policy would choose, no interval says where its value is")
  func bias() throws {
    // A fifth of what the policy would choose has no support.
    let log = try EvaluatedLog(2_000, choices: ["a", "b", "c", "d", "f"])
    let policies = ["weights:a=2;b=2;c=1", "weights:a=1;b=1"]
    let values = try table(log, policies, ["ips"], intervals: ["normal", "hoeffding"])
    for row in values.rows.indices {
      let isBiased = values.text("verdict", row: row) == "cannot-answer"
      #expect(isBiased == values.text("policy", row: row)?.contains("c=1"))
      #expect((values.cell("ci_low", row: row) == .empty) == isBiased)
      #expect(
        values.text("status", row: row)?.hasPrefix("no standard error or interval: 20 % of what the policy") ?? false
          == isBiased)
      #expect((values.cell("se", row: row) == .empty) == isBiased)
    }
    let versus = try table(log, policies, ["ips"], versus: 1)
    #expect(versus.cell("ci_high") == .empty && versus.cell("p_value") == .empty)
    #expect(versus.text("status")?.hasPrefix("no standard error or interval: weights:a=2;b=2;c=1: 20 %") == true)
    #expect(versus.answer.contains { $0.contains("the log cannot tell its difference to") })
    #expect(!versus.answer.contains { $0.contains(" earns ") })
    let time = try table(log, Array(policies.prefix(1)), ["ips"], table: .time)
    #expect(time.cell("ci_low") == .empty && time.cell("se") == .empty)
  }

  @Test("of a log with too few decisions that count, no table has an error or an interval")
  func few() throws {
    let log = try EvaluatedLog(20)
    for table in [EvaluationTable.values, .time, .versus] {
      let rows = try self.table(log, ["uniform", "fixed:variant=a"], ["ips", "snips"], versus: 0, table: table)
      #expect(!rows.rows.isEmpty)
      for row in rows.rows.indices {
        for column in ["se", "ci_low", "ci_high"] { #expect(rows.cell(column, row: row) == .empty, "\(table)") }
        #expect(rows.text("status", row: row)?.isEmpty == false, "\(table)")
      }
      let told = rows.rows.indices.contains {
        rows.text("status", row: $0)?.contains("no standard error or interval: ") == true
      }
      #expect(told || table == .time, "\(table)")
    }
    #expect(try table(EvaluatedLog(80), ["uniform"], ["ips"]).number("se") != nil)
  }

  @Test("replay answers for a policy that is sure of its choice alone")
  func replay() throws {
    let log = try EvaluatedLog(600)
    let drawn = try table(log, ["weights:a=0.2;b=0.8"], ["replay"])
    for column in ["value", "se", "ci_low"] { #expect(drawn.cell(column) == .empty) }
    #expect(drawn.text("verdict") == "cannot-answer")
    #expect(drawn.text("status") == "no value: replay needs a policy that is sure of its choice; use snips")
    let both = try table(log, ["weights:a=0.2;b=0.8"], ["snips", "replay"])
    #expect(both.text("verdict", row: 1) == "answers" || both.text("verdict", row: 0) == "answers")
    let sure = try table(log, ["fixed:variant=b"], ["replay"])
    #expect(sure.number("value") != nil && sure.number("ci_low") != nil && sure.cell("status") == .empty)
  }

  @Test("a single decision with weight gives no difference to a policy with many")
  func oneSided() throws {
    let log = try EvaluatedLog(60, a: 0.02, logged: { $0 ? 0.02 : 0.98 }, means: (1, 0.5))
    let versus = try table(log, ["fixed:variant=a", "uniform"], ["ips", "snips"], versus: 1)
    for row in versus.rows.indices {
      #expect(versus.cell("p_value", row: row) == .empty)
      #expect(versus.text("status", row: row)?.isEmpty == false)
    }
    #expect(!versus.answer.contains { $0.contains(" earns ") })
  }

  @Test("no method gives an interval of a model that no reward corrects")
  func uncorrected() throws {
    let log = try EvaluatedLog(200, means: (0, 0.3))
    let methods = ["hoeffding", "empirical-bernstein", "bootstrap:replicates=50"]
    let table = try table(
      log, ["fixed:variant=a"], ["dr", "switch-dr", "sndr"], intervals: methods)
    for row in table.rows.indices {
      #expect(table.cell("ci_low", row: row) == .empty)
      let status = try #require(table.text("status", row: row))
      #expect(status.contains("no reward other than 0") || status.contains("does not apply"))
    }
    #expect(table.answer[0].contains("no unit has a reward other than 0 with weight"))
  }
}
