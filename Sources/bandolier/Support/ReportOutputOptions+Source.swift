import Replay
import Tables

extension ReportOutputOptions {
  /// Writes a report, and says on standard error when it is empty or broken down by something that nothing in it has.
  ///
  /// - Parameters:
  ///   - table: The report.
  ///   - source: What it was made of.
  ///   - dimension: What it is broken down by.
  /// - Throws: What keeps it from being written.
  func write(_ table: Table, of source: ReportSource, by dimension: Dimension? = nil) throws {
    if !source.isExplained { note(table, source, dimension) }
    try write(table)
  }

  private func note(_ table: Table, _ source: ReportSource, _ dimension: Dimension?) {
    guard !table.rows.isEmpty else {
      let covered = source.coverage.map { "; \($0.text)" } ?? ""
      return Message.print(
        "note: the report has no rows: nothing that it counts is in what it looks at\(covered)")
    }
    guard let dimension,
      let column = table.columns.firstIndex(where: { $0.name == "dimension_value" }),
      table.rows.allSatisfy({ $0[$0.startIndex + column] == .empty })
    else { return }
    Message.print(
      "warning: nothing in the report has a value of \(dimension), so it is broken down by nothing")
  }
}
