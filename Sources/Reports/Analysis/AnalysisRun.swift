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
    var result = try general.result(of: source)
    if result.table.columns.contains(where: { $0.name == "experiment" }) {
      let rest = try result.table.filtered { row in
        row.text("experiment").map { plan.entry(of: $0) == nil } ?? true
      }
      // An empty table has notes of what was not counted, which the planned experiments repeat.
      var tables = rest.rows.isEmpty ? [] : [rest]
      for entry in plan.entries {
        let parts = try self.tables(of: entry, source, &result)
        tables += parts
      }
      if var table = try Table.joining(tables) {
        (general as? any PlannedReport)?.summarize(&table)
        result.table = table
      }
    }
    return result
  }

  private func tables(
    of entry: AnalysisPlan.Entry, _ source: ReportSource, _ result: inout ReportResult
  ) throws -> [Table] {
    guard let code = source.names.code(of: entry.experiment, in: .experiments),
      source.experiments?.contains(code) ?? true
    else { return [] }
    let report = try report(entry)
    var part = ReportPart(experiments: [code], since: entry.since, until: entry.until)
    do {
      let whole = try source.selecting(part)
      var own = try report.result(of: whole)
      if let planned = report as? any PlannedReport {
        own.table = try planned.planned(own.table, by: entry, of: whole)
      }
      result.alarm = result.alarm ?? own.alarm
      var tables = [try own.table.filtered { $0.text("experiment") == entry.experiment }]
      guard takesDimensions, whole.dimension == nil else { return tables }
      for dimension in entry.dimensions {
        part.dimension = dimension
        let broken = try report.result(of: source.selecting(part)).table
        // Its notes are those of the whole experiment again.
        tables.append(
          try broken.filtered(notes: false) { $0.text("experiment") == entry.experiment })
      }
      return tables
    } catch let error as ReportError {
      throw plan.located(error, entry)
    }
  }
}
