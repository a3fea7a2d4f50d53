public import EventLog
internal import Replay
package import Tables

/// The report `decisions`: whether to ship each variant of the planned experiments, to roll it back or to keep running.
public struct DecisionReport: Report {
  public static let name = "decisions"
  public static let abstract =
    "Ship, roll back or keep running each variant, by the rules of an analysis file."

  /// The plan of the experiments.
  public let plan: AnalysisPlan

  /// Creates a report of the experiments of a plan.
  public init(_ plan: AnalysisPlan) { self.plan = plan }

  public var vocabularies: Set<Vocabulary> { [.experiments, .points, .slots, .variants, .goals] }

  /// Computes the report.
  ///
  /// - Throws: ``ReportError`` if the log does not have a name of the plan.
  public func result(of source: ReportSource) throws -> ReportResult {
    try plan.check(source)
    var table = try Table(name: "decisions", title: "What to do", columns: Self.columns)
    for entry in plan.entries {
      guard let code = source.names.code(of: entry.experiment, in: .experiments),
        source.experiments?.contains(code) ?? true
      else { continue }
      let part = ReportPart(experiments: [code], since: entry.since, until: entry.until)
      for decision in try decisions(entry, source.selecting(part)) {
        try table.append(row: Self.row(decision))
      }
    }
    table.note("method", .text("compare by welch, and power at 80 %, both at a level of 0.05"))
    table.method = TableMethod(
      "compare by welch, and power at 80 %, both at a level of 0.05", report: Self.name)
    table = table.sorted()
    summarize(&table)
    return ReportResult(table)
  }

  private func decisions(_ entry: AnalysisPlan.Entry, _ source: ReportSource) throws
    -> [PlannedDecision]
  {
    var comparison = ComparisonPlan()
    comparison.baseline = entry.baseline
    comparison.expectedShares = entry.shares
    var deciding = entry
    deciding.secondary = []
    do {
      let report = try ComparisonReport(MetricPlan(deciding.metrics), plan: comparison)
      let paces = try RecruitmentPace.paces(of: source, entry, alpha: comparison.alpha)
      return PlannedDecision.decisions(of: try report.result(of: source).table, entry, paces)
    } catch let error as ReportError {
      throw plan.located(error, entry)
    }
  }

  static let columns: [TableColumn] = [
    TableColumn.key("experiment", .text, "what is decided").main,
    .key("point", .text, "where in the app"),
    .key("slot", .text, "which of several decisions at the point"),
    TableColumn.key("variant", .text, "what was chosen").main,
    TableColumn.measure(
      "recommendation", .text, "ship, roll back, keep running, stop or do not read"
    ).main,
    TableColumn.measure("until", .timestamp, "when the units needed are there at the present rate")
      .day.main,
    .measure("reason", .text, "the rule and the numbers that decided").sentence.main,
    TableColumn.measure("metric", .text, "the goal metric").main,
    .measure("lift", .decimal, "variant over baseline less 1").share.main,
    .measure("lift_ci_low", .decimal, "lower end of the lift's interval").share,
    .measure("lift_ci_high", .decimal, "upper end of the lift's interval").share,
    .measure("p_value", .decimal, "against no difference").pValue.main,
    .measure("verdict", .text, "that of report compare"),
    .measure("warnings", .text, "what else to know before reading it; empty if nothing").sentence,
    .measure("baseline", .text, "the variant that it is compared with"),
    .measure("units", .integer, "units that belong to the variant"),
    .measure("units_needed", .decimal, "units that all variants need together").count.main,
  ]

  private static func row(_ decision: PlannedDecision) -> [TableCell] {
    let (row, advice) = (decision.row, decision.recommendation)
    return [
      TableCell(row.text("experiment")), TableCell(row.text("point")), TableCell(row.text("slot")),
      TableCell(row.text("variant")), .text(advice.action.rawValue),
      advice.until.map { .timestamp("\($0)") } ?? .empty, .text(advice.reason),
      TableCell(row.text("metric")), TableCell(row.number("lift")),
      TableCell(row.number("lift_ci_low")), TableCell(row.number("lift_ci_high")),
      TableCell(row.number("p_value")), TableCell(row.text("verdict")),
      TableCell(row.text("warnings")), TableCell(row.text("baseline")),
      TableCell(row.number("units").map { Int($0) }), TableCell(decision.unitsNeeded),
    ]
  }
}

extension DecisionReport: PlannedReport {
  package func summarize(_ table: inout Table) {
    table.answer = DecisionAnswer(table, reason: "reason").sentences
  }
}
