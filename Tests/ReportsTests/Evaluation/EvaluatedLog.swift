import Bandits
import EventLog
import Events
import OffPolicy
import Replay
import Specifications
import Statistics
import Tables
import TestSupport
import Testing

@testable import Reports

/// Logs of one experiment, in which each unit has one decision, and the reports on them.
struct EvaluatedLog {
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
      rewardModel: TabularRewards())
    plan.versus = versus
    return plan
  }

  func result(_ report: EvaluationReport) throws -> ReportResult {
    try report.finished(
      ReportSource(report, log.replay, UnitSelection(), names: log.names))
  }

  func verdict(_ policy: String) throws -> (answer: TableCell?, reasons: TableCell?) {
    let report = try EvaluationReport {
      $0.plan = try Self.plan([policy])
      $0.askedTable = .support
    }
    let table = try result(report).table
    return (table.cell("verdict"), table.cell("reasons"))
  }
}

extension Table {
  func cell(_ name: String, row: Int = 0) -> TableCell? {
    guard let column = columns.firstIndex(where: { $0.name == name }), row < rows.count else {
      return nil
    }
    return rows[row][column]
  }

  func note(named name: String) -> TableNote? { notes.first { $0.name == name } }

  func number(_ name: String, row: Int = 0) -> Double? {
    if case .decimal(let number) = cell(name, row: row) { return number }
    return nil
  }

  func text(_ name: String, row: Int = 0) -> String? {
    if case .text(let text) = cell(name, row: row) { return text }
    return nil
  }
}

extension TableNote {
  var text: String {
    if case .text(let text) = value { return text }
    return ""
  }
}
