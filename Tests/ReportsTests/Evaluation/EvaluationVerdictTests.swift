import EventLog
import Events
import Replay
import Tables
import TestSupport
import Testing

@testable import Reports

@Suite("Verdicts on evaluations")
struct EvaluationVerdictTests {
  @Test("a log with propensities and support for the policy answers")
  func answers() throws {
    let log = try EvaluatedLog(400)
    let (answer, reasons) = try log.verdict("uniform")
    #expect(answer == .text("answers") && reasons == .text(""))
    let report = try EvaluationReport {
      $0.plan = try EvaluatedLog.plan(["uniform"])
      $0.alarms = [.support]
    }
    let result = try log.result(report)
    #expect(result.alarm == nil)
    #expect(
      result.table.answer.first?.hasPrefix("uniform: answers: effective") == true)
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
    #expect(
      reasons
        == .text(
          "none of the 50 decisions has a propensity, the probability with which its variant was chosen; log "
            + "\"propensity\" with each decision"))
    // A variant that is not in the log.
    (answer, reasons) = try EvaluatedLog(400).verdict("weights:a=0.5;c=0.5")
    #expect(
      reasons == .text("no decision has the variant \"c\"; the experiment has \"a\", \"b\""))
    // A choice that was never taken: a fifth of what the policy would choose.
    let choices: [VariantID] = ["a", "b", "c", "d", "f"]
    let some = try EvaluatedLog(2_000, choices: choices)
    (answer, reasons) = try some.verdict("weights:a=2;b=2;c=1")
    #expect(answer == .text("cannot-answer"))
    guard case .text(let text) = reasons else { return }
    #expect(
      text.hasPrefix(
        "20 % of what the policy would choose has no support in the log, in 2000 of 2000"),
      "\(text)")
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
    let report = try EvaluationReport {
      $0.plan = try EvaluatedLog.plan(["uniform"])
      $0.askedTable = .propensities
      $0.alarms = [.support]
    }
    let result = try spread.result(report)
    #expect(result.table.cell("varying") == .integer(0))
    #expect(result.table.cell("choices_mean") == .decimal(2))
    #expect(try #require(result.table.number("z")) > 20)
    #expect(result.alarm?.hasPrefix("support: uniform: cannot-answer: ") == true)
  }
}
