package import Tables

/// A report whose table says more where an analysis plan is given, and whose answer is then made of all its rows.
package protocol PlannedReport: Report {
  /// Returns the table of one experiment with what its plan adds.
  ///
  /// - Parameters:
  ///   - table: The rows of the experiment, or of a breakdown of it.
  ///   - entry: The plan of the experiment.
  ///   - source: The part of the log that the rows come from.
  /// - Returns: The table, by default unchanged.
  /// - Throws: ``ReportError`` if the log lacks what the plan names; `LogError` if the log cannot be read.
  func planned(_ table: Table, by entry: AnalysisPlan.Entry, of source: ReportSource) throws
    -> Table
}

extension PlannedReport {
  package func planned(_ table: Table, by entry: AnalysisPlan.Entry, of source: ReportSource)
    throws -> Table
  { table }
}
