internal import EventLog
internal import Replay
internal import Tables

/// A report in which each experiment of an analysis plan is treated by its own settings.
///
/// The report runs once over the whole log, for experiments without a plan and rows of no experiment, and once for each
/// planned experiment and each of its dimensions; rows are put together. A report without rows of experiments is that
/// of the whole log.
package struct AnalysisRun {
  private let plan: AnalysisPlan
  private let takesDimensions: Bool
  private let report: (AnalysisPlan.Entry?) throws -> any Report

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - takesDimensions: Whether the report has a breakdown by the dimensions of the plan.
  ///   - report: Returns the report of an experiment, or of those without a plan for nil.
  package init(
    _ plan: AnalysisPlan, takesDimensions: Bool,
    report: @escaping (AnalysisPlan.Entry?) throws -> any Report
  ) {
    self.plan = plan
    self.takesDimensions = takesDimensions
    self.report = report
  }

  /// Computes the report.
  ///
  /// - Parameter source: The log or database; only planned experiments that it selects are treated by their plans.
  /// - Returns: The result; plots and other files are those of the whole log.
  /// - Throws: ``ReportError`` if the log does not have a name of the plan, and errors of the report.
  package func result(of source: ReportSource) throws -> ReportResult {
    try plan.check(source)
    let general = try report(nil)
    let shared = source.sharedReplay
    var whole: ReportResult?
    let parts = parts(of: source)
    let results = try source.together(
      shared,
      [
        { source in
          whole = try general.result(of: source)
          return whole
        }
      ]
        + parts.map { part in
          { source in
            // Known by now unless it comes from units.
            guard whole?.hasExperiments ?? true else { return nil }
            let report = try report(part.entry)
            return try plan.locating(part.entry) { try report.result(of: source.selecting(part.selected)) }
          }
        })
    guard var result = whole, result.hasExperiments else { return try whole ?? general.result(of: source) }
    let own = zip(parts, results.dropFirst()).compactMap { part, result in result.map { (part, $0) } }
    let planned = try source.together(
      shared,
      own.map { part, result in
        { source in
          guard let report = try report(part.entry) as? any PlannedReport else { return result.table }
          return try plan.locating(part.entry) {
            try report.planned(result.table, by: part.entry, of: source.selecting(part.selected))
          }
        }
      })
    var rest = try result.table.filtered { row in
      row.text("experiment").map { plan.entry(of: $0) == nil } ?? true
    }
    rest.cards = result.table.cards.filter { plan.entry(of: $0.experiment) == nil }
    // An empty table has notes of what was not counted, which the planned experiments repeat.
    var tables = rest.rows.isEmpty ? [] : [rest]
    for ((part, own), table) in zip(own, planned) {
      // Notes of a broken down experiment are those of the whole one again.
      let isWhole = part.selected.dimension == nil
      if isWhole { result.alarm = result.alarm ?? own.alarm }
      var rows = try table.filtered(notes: isWhole) { $0.text("experiment") == part.entry.experiment }
      if isWhole { (rows.answer, rows.cards) = (table.answer, table.cards) }
      tables.append(rows)
    }
    if var table = try Table.joining(tables) {
      let entries = own.lazy.filter { $0.0.selected.dimension == nil }.map(\.0.entry)
      general.summarize(&table)
      try table.noteMetrics(of: Array(entries), report)
      result.table = table
    }
    return result
  }

  /// Returns the parts of a source that the report is made of: of each experiment the whole, then its breakdowns.
  private func parts(of source: ReportSource) -> [(entry: AnalysisPlan.Entry, selected: ReportPart)] {
    plan.selected(of: source).flatMap { entry, whole in
      let isDivided = takesDimensions && source.dimension == nil
      return ([nil] + (isDivided ? entry.dimensions : []).map(Optional.some)).map { dimension in
        var part = whole
        part.dimension = dimension
        return (entry, part)
      }
    }
  }
}

extension ReportResult {
  /// Whether its rows are about experiments.
  fileprivate var hasExperiments: Bool { table.columns.contains { $0.name == "experiment" } }
}
